import { createAction, createSlice, type PayloadAction } from "@reduxjs/toolkit";
import type { RealtimeMessage } from "./messages";

export interface RealtimeState {
  /** False: poll instead of waiting for messages. */
  connected: boolean;
  /** Counts connections; a rise after a break means that messages may have been missed. */
  connections: number;
}

const initialState: RealtimeState = { connected: false, connections: 0 };

/** A message of the queue arrived; listeners update caches and pages. */
export const queueMessage = createAction<RealtimeMessage>("realtime/message");

const slice = createSlice({
  name: "realtime",
  initialState,
  reducers: {
    connectionChanged(state, { payload }: PayloadAction<boolean>) {
      if (payload && !state.connected) state.connections += 1;
      state.connected = payload;
    },
  },
});

export const { connectionChanged } = slice.actions;
export const realtimeReducer = slice.reducer;
