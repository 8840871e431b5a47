import { authMessages } from "@/messages/auth";
import { parseTokenReply, type TokenReply } from "@/session/token";
import { toast } from "@/ui/toast";

/** Passes on the token of a response. A failed call has already been reported. */
export function takeToken(
  response: { data?: unknown; error?: unknown },
  onToken: (reply: TokenReply) => void,
): void {
  if (response.error) return;
  const reply = parseTokenReply(response.data);
  if (reply) onToken(reply);
  else toast.error(authMessages.unreadableToken);
}
