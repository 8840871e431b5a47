import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { unauthorized } from "@/api/events";
import type { RealtimeMessage } from "@/realtime/messages";

/** Shown for a user without a nickname. */
export const DEFAULT_NICKNAME = "玄览用户";

/** A shorter id would be shown nearly whole by its end. */
const LONG_ID = 12;

/**
 * What a person is called. A login id is no name and never shown to others; only its end is, where those without a nickname
 * stand side by side.
 */
export function calledBy(nickname: string | null | undefined, id = ""): string {
  if (nickname) return nickname;
  return id.length < LONG_ID ? DEFAULT_NICKNAME : `${DEFAULT_NICKNAME}·${id.slice(-4)}`;
}

/** The login state: all that pages know about the current user. */
export interface SessionState {
  loginId: string;
  authorization: string;
  avatar: string;
  nickname: string;
  phone: string;
  /** The newest message of the queue. */
  webSocketData: RealtimeMessage | null;
  /** 0 none, 2 and 3 model publishers. */
  uploaderType: number;
  loginstate: boolean;
  username: string;
  newLoginId: string;
  smsKey: string;
  openId: string;
  thirdPartyAvatar: string;
  thirdPartyNickname: string;
  /** Which provider the third-party identity belongs to: `wechat`, `qq` or empty. */
  thirdPartyType: string;
  /** One-time ticket for the identity on the server; nothing else of it is sent back. */
  bindTicket: string;
  hasUnreadMessage: boolean;
}

export const emptySession: SessionState = {
  loginId: "",
  authorization: "",
  avatar: "",
  nickname: DEFAULT_NICKNAME,
  phone: "",
  webSocketData: null,
  uploaderType: 0,
  loginstate: false,
  username: "",
  newLoginId: "",
  smsKey: "",
  openId: "",
  thirdPartyAvatar: "",
  thirdPartyNickname: "",
  thirdPartyType: "",
  bindTicket: "",
  hasUnreadMessage: false,
};

export interface LoginIdentity {
  token: string;
  loginId: string;
}

const slice = createSlice({
  name: "session",
  initialState: emptySession,
  reducers: {
    signedIn(_state, { payload }: PayloadAction<LoginIdentity>): SessionState {
      return {
        ...emptySession,
        loginId: payload.loginId,
        authorization: payload.token,
        loginstate: true,
      };
    },
    tokenRenewed(state, { payload }: PayloadAction<string>) {
      state.authorization = payload;
    },
    signedOut(): SessionState {
      return emptySession;
    },
    profileLoaded(
      state,
      {
        payload,
      }: PayloadAction<{
        avatar?: string | null;
        nickname?: string | null;
        phone?: string;
        uploaderType?: number;
        username?: string;
        newLoginId?: string;
        openId?: string | null;
      }>,
    ) {
      // Null resets to the default avatar, absent means no change.
      state.avatar = payload.avatar === undefined ? state.avatar : (payload.avatar ?? "");
      state.nickname = payload.nickname || state.nickname;
      state.phone = payload.phone ?? state.phone;
      state.uploaderType = payload.uploaderType ?? state.uploaderType;
      state.username = payload.username ?? state.username;
      state.newLoginId = payload.newLoginId ?? state.newLoginId;
      state.openId = payload.openId ?? state.openId;
    },
    smsKeyReceived(state, { payload }: PayloadAction<string>) {
      state.smsKey = payload;
    },
    thirdPartyRecognised(
      state,
      {
        payload,
      }: PayloadAction<{
        openId: string;
        avatar: string;
        nickname: string;
        type: string;
        bindTicket: string;
      }>,
    ) {
      state.openId = payload.openId;
      state.thirdPartyAvatar = payload.avatar;
      state.thirdPartyNickname = payload.nickname;
      state.thirdPartyType = payload.type;
      state.bindTicket = payload.bindTicket;
    },
    messageReceived(state, { payload }: PayloadAction<RealtimeMessage>) {
      state.webSocketData = payload;
      if (payload.type !== "MESSAGE") return;
      // Without a count it is an announcement: a new one is unread; of one that changed or ended the server is asked.
      if (payload.unread) state.hasUnreadMessage = payload.unread.total > 0;
      else if (payload.id) state.hasUnreadMessage = true;
    },
    unreadMessagesRead(state) {
      state.hasUnreadMessage = false;
    },
    /** The server's count, from a call. */
    unreadMessagesKnown(state, { payload }: PayloadAction<boolean>) {
      state.hasUnreadMessage = payload;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(unauthorized, () => emptySession);
  },
});

export const {
  signedIn,
  tokenRenewed,
  signedOut,
  profileLoaded,
  smsKeyReceived,
  thirdPartyRecognised,
  messageReceived,
  unreadMessagesKnown,
  unreadMessagesRead,
} = slice.actions;
export const sessionReducer = slice.reducer;
