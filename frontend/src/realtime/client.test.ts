import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openQueue } from "./client";

/** A manually controlled socket that records what a browser would log as an error. */
class HandSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static all: HandSocket[] = [];
  readyState = HandSocket.CONNECTING;
  binaryType = "";
  sent: string[] = [];
  complaints: string[] = [];
  onopen: (() => void) | null = null;
  onclose: ((event: unknown) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor() {
    super();
    HandSocket.all.push(this);
  }
  send(data: string) {
    if (this.readyState > HandSocket.OPEN) this.complaints.push("already in CLOSING or CLOSED state");
    else this.sent.push(data);
  }
  close() {
    if (this.readyState === HandSocket.CONNECTING)
      this.complaints.push("closed before the connection is established");
    if (this.readyState < HandSocket.CLOSING) this.readyState = HandSocket.CLOSING;
  }
  open() {
    this.readyState = HandSocket.OPEN;
    this.onopen?.();
    this.dispatchEvent(new Event("open"));
  }
  hear(data: string) {
    this.onmessage?.({ data });
  }
  closeNow() {
    this.readyState = HandSocket.CLOSED;
    this.onclose?.({ code: 1000, reason: "", wasClean: true });
    this.dispatchEvent(new Event("close"));
  }
}

beforeEach(() => {
  HandSocket.all = [];
  vi.stubGlobal("WebSocket", HandSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function start() {
  const states: boolean[] = [];
  const refused: string[] = [];
  const queue = openQueue(
    {
      token: () => "tok-1",
      loginId: "u1",
      onMessage: () => undefined,
      onConnected: (up) => states.push(up),
      onRefused: (token) => refused.push(token),
    },
    "wss://www.xuanlan.test/ws",
  );
  await vi.waitFor(() => expect(HandSocket.all).toHaveLength(1));
  return { queue, states, refused, socket: HandSocket.all[0] as HandSocket };
}

const CONNECTED = "CONNECTED\nversion:1.2\nheart-beat:0,0\n\n\0";
/** Longer than any delay between two connections. */
const LONG_MS = 60_000;

it("waits for a socket that is still opening, then closes it, and opens no other", async () => {
  const { queue, socket } = await start();
  vi.useFakeTimers();
  queue.close();
  expect(socket.readyState).toBe(HandSocket.CONNECTING);
  socket.open();
  expect(socket.readyState).toBe(HandSocket.CLOSING);
  socket.closeNow();
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(socket.complaints).toEqual([]);
  expect(HandSocket.all).toHaveLength(1);
});

it("does not come back when the socket it waited for never opens", async () => {
  const { queue, socket } = await start();
  vi.useFakeTimers();
  queue.close();
  socket.closeNow();
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(socket.complaints).toEqual([]);
  expect(HandSocket.all).toHaveLength(1);
});

it("sends no farewell to a socket that the server is closing", async () => {
  const { queue, states, socket } = await start();
  socket.open();
  socket.hear(CONNECTED);
  expect(states).toEqual([true]);
  vi.useFakeTimers();
  socket.readyState = HandSocket.CLOSING;
  queue.close();
  socket.closeNow();
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(socket.complaints).toEqual([]);
  expect(socket.sent.some((frame) => frame.startsWith("DISCONNECT"))).toBe(false);
  expect(HandSocket.all).toHaveLength(1);
});

it("says goodbye on an open socket, and is heard no more", async () => {
  const { queue, states, socket } = await start();
  socket.open();
  socket.hear(CONNECTED);
  queue.close();
  const farewell = socket.sent.at(-1) ?? "";
  expect(farewell).toMatch(/^DISCONNECT/);
  const receipt = /receipt:(\S+)/.exec(farewell)?.[1];
  socket.hear(`RECEIPT\nreceipt-id:${receipt}\n\n\0`);
  expect(socket.readyState).toBe(HandSocket.CLOSING);
  socket.closeNow();
  expect(socket.complaints).toEqual([]);
  expect(states).toEqual([true, false]);
});

it("tells with which token it was refused; a restart of the server and a lost network refuse nothing", async () => {
  const { queue, refused, socket } = await start();
  vi.useFakeTimers();
  socket.open();
  socket.hear(CONNECTED);
  socket.closeNow();
  expect(refused).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  const next = HandSocket.all[1] as HandSocket;
  next.open();
  next.hear("ERROR\nmessage:token is not valid\n\n\0");
  next.closeNow();
  expect(refused).toEqual(["tok-1"]);
  queue.close();
});
