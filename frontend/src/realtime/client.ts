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
      events.onConnected(true);
    },
    onWebSocketClose: () => events.onConnected(false),
    onStompError: () => events.onConnected(false),
  });
  client.activate();
  return {
    close: () => {
      events.onConnected(false);
      void client.deactivate();
    },
  };
}
