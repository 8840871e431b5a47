import { addListener } from "@reduxjs/toolkit";
import type { AppDispatch } from "@/store";
import type { RealtimeMessage, RealtimeType } from "./messages";
import { queueMessage } from "./slice";

/** Calls the handler for every message of one type; returns a function that stops it. For use outside React. */
export function onQueueMessage<T extends RealtimeType>(
  dispatch: AppDispatch,
  type: T,
  handler: (message: Extract<RealtimeMessage, { type: T }>) => void,
): () => void {
  return dispatch(
    addListener({
      actionCreator: queueMessage,
      effect: ({ payload }) => {
        if (payload.type === type) handler(payload as Extract<RealtimeMessage, { type: T }>);
      },
    }),
  );
}
