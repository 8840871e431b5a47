import { createAction } from "@reduxjs/toolkit";
import { slice } from "@/store/slice";
import type { RealtimeMessage } from "./messages";

export interface RealtimeState {
  /** False: ask by polling what the queue would have told. */
  connected: boolean;
  /** Counts connections; a rise after a break means that messages may have been missed. */
  connections: number;
}

const initialState: RealtimeState = { connected: false, connections: 0 };

/** A message of the queue arrived; listeners update caches and pages. */
export const queueMessage = createAction<RealtimeMessage>("realtime/message");

const { actions, reducer } = slice(
  "realtime",
  initialState,
  {
    connectionChanged: (state, connected: boolean): RealtimeState => ({
      connected,
      connections: connected && !state.connected ? state.connections + 1 : state.connections,
    }),
  },
  (state) => state,
);

export const { connectionChanged } = actions;
export const realtimeReducer = reducer;
