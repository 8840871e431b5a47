import { turn } from "@/lib/turn";
import { server, socket } from "./server";

/** A minimal STOMP server at the socket's boundary, which refuses the tokens that are in `refused`. */
export function stomp(refused: Set<string> = new Set()) {
  const heard: string[] = [];
  const clients: { send: (data: string) => void; close: (code?: number) => void }[] = [];
  server.use(
    socket.addEventListener("connection", ({ client }) => {
      clients.push(client);
      client.addEventListener("message", (event) => {
        const frame = String(event.data);
        heard.push(frame);
        if (!frame.startsWith("CONNECT")) return;
        const token = /Authorization:Bearer (\S+)/.exec(frame)?.[1] ?? "";
        if (refused.has(token)) refuse(client, "token is not valid");
        else client.send("CONNECTED\nversion:1.2\nheart-beat:0,0\n\n\0");
      });
    }),
  );
  const push = (body: unknown) =>
    clients
      .at(-1)
      ?.send(`MESSAGE\nsubscription:sub-0\nmessage-id:1\ndestination:/queue/u1\n\n${JSON.stringify(body)}\0`);
  /** Ends the newest connection with a reason, as the server does when its token is revoked. */
  const end = () => {
    const client = clients.at(-1);
    if (client) refuse(client, "token is not valid any more");
  };
  return { heard, clients, push, end };
}

function refuse(client: { send: (data: string) => void; close: (code?: number) => void }, message: string) {
  client.send(`ERROR\nmessage:${message}\n\n\0`);
  // In a task of its own: msw drops what was sent just before the end.
  void turn().then(() => client.close());
}
