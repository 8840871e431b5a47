import { useLocation } from "react-router";
import { type CommentsKind, MyComments } from "@/features/works";

const KINDS: Readonly<Record<string, CommentsKind>> = { comment: "comments", reply: "replies" };

/** What I have said, or what the address names last. */
export default function MyCommentPage() {
  const last = useLocation().pathname.split("/")[3] ?? "";
  return <MyComments kind={KINDS[last] ?? "mine"} />;
}
