import { Client, ReconnectionTimeMode } from "@stomp/stompjs";
import { parseMessage, type RealtimeMessage } from "./messages";

export interface QueueEvents {
  /** Bearer token, asked anew for every connection: it may have been renewed. */
  token: () => string;
  loginId: string;
  onMessage: (message: RealtimeMessage) => void;
  onConnected: (connected: boolean) => void;
}

export interface QueueConnection {
  close: () => void;
}

/** Address of the push socket on this page's own origin. */
export function socketAddress(location: Location = window.location): string {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
}

/**
 * Subscribes to the user's own queue. Reconnects by itself, from 1 s up to 30 s apart, for as long as
 * the connection is not closed.
 */
export function openQueue(events: QueueEvents, address = socketAddress()): QueueConnection {
  let closed = false;
  const tell = (connected: boolean) => {
    // After the end a late event may not speak for the queue that the next user has opened.
    if (!closed) events.onConnected(connected);
  };
  const client = new Client({
    brokerURL: address,
    reconnectDelay: 1_000,
    maxReconnectDelay: 30_000,
    reconnectTimeMode: ReconnectionTimeMode.EXPONENTIAL,
    connectionTimeout: 10_000,
    heartbeatIncoming: 20_000,
    heartbeatOutgoing: 20_000,
    beforeConnect: (self) => {
      self.connectHeaders = { Authorization: `Bearer ${events.token()}` };
    },
    onConnect: () => {
      client.subscribe(`/queue/${events.loginId}`, (frame) => {
        const message = parseMessage(frame.body);
        if (message) events.onMessage(message);
      });
      tell(true);
    },
    onWebSocketClose: () => tell(false),
    onStompError: () => tell(false),
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
 * Ends the client whatever its socket is doing. A browser writes an error when a socket is closed before
 * it was open, and when something is sent to one that is closing (the server closes it when the token
 * ends): the first is waited for, the second gets no farewell.
 */
function endQuietly(client: Client): void {
  const socket = client.webSocket;
  const end = () => {
    // Without `force` the client says goodbye, and waits for the answer.
    void client.deactivate({ force: socket?.readyState !== WebSocket.OPEN });
  };
  if (socket instanceof WebSocket && socket.readyState === WebSocket.CONNECTING) {
    socket.addEventListener("open", end, { once: true });
    socket.addEventListener("close", end, { once: true });
  } else {
    end();
  }
}
