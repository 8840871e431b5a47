/**
 * The push channel as a program uses it: STOMP 1.2 over the runtime's own WebSocket.
 */

const OPEN_MS = 10_000;

/**
 * Subscribes to a signed-in user's queue: `told` gets each message's JSON and the headers of its frame. Once subscribed, returns
 * a function that closes the socket.
 */
export async function listen(person, told) {
  const socket = new WebSocket(`${person.site.url.replace(/^http/, "ws")}/ws`, ["v12.stomp"]);
  const send = (...lines) => socket.send(`${lines.join("\n")}\n\n\0`);
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the socket does not open")), OPEN_MS);
    const failed = (why) => {
      clearTimeout(late);
      reject(new Error(why));
    };
    socket.addEventListener("error", () => failed("the socket does not open"));
    socket.addEventListener("open", () =>
      send("CONNECT", "accept-version:1.2", "heart-beat:0,0", `Authorization:Bearer ${person.token}`),
    );
    socket.addEventListener("message", ({ data }) => {
      const frame = parse(String(data));
      if (frame.command === "CONNECTED") {
        send("SUBSCRIBE", "id:0", `destination:/queue/${person.loginId}`, "receipt:stands");
      } else if (frame.command === "RECEIPT") {
        clearTimeout(late);
        resolve();
      } else if (frame.command === "MESSAGE") {
        told(JSON.parse(frame.body), frame.headers);
      } else if (frame.command === "ERROR") {
        failed(frame.headers.message);
      }
    });
  });
  return () => socket.close();
}

function parse(text) {
  const [head, ...rest] = text.trimStart().split("\n\n");
  const [command, ...lines] = head.split("\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
  return { command, headers, body: rest.join("\n\n").replace(/\0\s*$/, "") };
}
