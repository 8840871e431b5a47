import { useLocation } from "react-router";
import { type CommentsKind, MyComments } from "@/features/works";

const KINDS: Readonly<Record<string, CommentsKind>> = { comment: "comments", reply: "replies" };

/** The user's own comments, or the list named by the address' last part. */
export default function MyCommentPage() {
  const last = useLocation().pathname.split("/")[3] ?? "";
  return <MyComments kind={KINDS[last] ?? "mine"} />;
}
