import { useLocation } from "react-router";
import { MessageList } from "@/features/messages";

/** All messages, or the group that the address names last. */
export default function MyMessagePage() {
  const { pathname } = useLocation();
  const group = pathname.split("/")[3] ?? "";
  return <MessageList key={group} group={group} />;
}
