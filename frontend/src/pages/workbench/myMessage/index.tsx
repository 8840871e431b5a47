import { useLocation } from "react-router";
import { MessageList } from "@/features/messages";

/** All messages, or the group named by the address' last part. */
export default function MyMessagePage() {
  const { pathname } = useLocation();
  const group = pathname.split("/")[3] ?? "";
  return <MessageList key={group} group={group} />;
}
