import { getConfig } from "@/api/config";

const SUCCESS = 60000;

const address = (path: string) => `${getConfig().analyticsHost.replace(/\/$/, "")}${path}`;

/** Sends a record to the analytics host; returns `datas`, or undefined on failure. Best effort: nothing depends on it. */
export async function send(path: string, record: object): Promise<unknown> {
  try {
    const sent = await fetch(address(path), {
      method: "POST",
      // Plain text needs no preflight.
      body: JSON.stringify(record),
      credentials: "omit",
      keepalive: true,
    });
    const reply = await sent.json();
    return reply.resp_code === SUCCESS ? reply.datas : undefined;
  } catch {
    return undefined;
  }
}

/** Sends a record while the page is being unloaded. */
export function sendLast(path: string, record: object): void {
  navigator.sendBeacon(address(path), JSON.stringify(record));
}
