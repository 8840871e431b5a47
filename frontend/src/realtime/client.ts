import { Client, ReconnectionTimeMode } from "@stomp/stompjs";
import { parseMessage, type RealtimeMessage } from "./messages";

export interface QueueEvents {
  /** Returns the bearer token; called for every connection, since it may have been renewed. */
  token: () => string;
  loginId: string;
  onMessage: (message: RealtimeMessage) => void;
  onConnected: (connected: boolean) => void;
  /** The server has refused or ended a connection and said so, which a lost one or a restart does not; with the token it was made with. */
  onRefused: (token: string) => void;
}

export interface QueueConnection {
  close: () => void;
}

/** Address of the push socket on this page's own origin. */
export function socketAddress(location: Location = window.location): string {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
}

/**
 * Subscribes to the user's own queue. Reconnects automatically, with a delay of 1 s to 30 s, until
 * the connection is closed.
 */
export function openQueue(events: QueueEvents, address = socketAddress()): QueueConnection {
  let closed = false;
  const tell = (connected: boolean) => {
    // Once closed, a late event must not affect the queue opened by the next user.
    if (!closed) events.onConnected(connected);
  };
  let token = "";
  const client = new Client({
    brokerURL: address,
    reconnectDelay: 1_000,
    maxReconnectDelay: 30_000,
    reconnectTimeMode: ReconnectionTimeMode.EXPONENTIAL,
    connectionTimeout: 10_000,
    heartbeatIncoming: 20_000,
    heartbeatOutgoing: 20_000,
    beforeConnect: (self) => {
      token = events.token();
      self.connectHeaders = { Authorization: `Bearer ${token}` };
    },
    onConnect: () => {
      client.subscribe(`/queue/${events.loginId}`, (frame) => {
        const message = parseMessage(frame.body);
        if (message) events.onMessage(message);
      });
      tell(true);
    },
    onWebSocketClose: () => tell(false),
    onStompError: () => {
      tell(false);
      if (!closed) events.onRefused(token);
    },
  });
  client.activate();
  return {
    close: () => {
      tell(false);
      closed = true;
      endQuietly(client);
    },
  };
}

/**
 * Ends the client in any state of its socket. A browser logs an error when a socket is closed before it was
 * open, and when data is sent to a closing one (the server closes it when the token ends): in the first case
 * this waits, in the second it sends no DISCONNECT.
 */
function endQuietly(client: Client): void {
  const socket = client.webSocket;
  const end = () => {
    // Without `force` the client sends DISCONNECT, and waits for the receipt.
    void client.deactivate({ force: socket?.readyState !== WebSocket.OPEN });
  };
  if (socket instanceof WebSocket && socket.readyState === WebSocket.CONNECTING) {
    socket.addEventListener("open", end, { once: true });
    socket.addEventListener("close", end, { once: true });
  } else {
    end();
  }
}
