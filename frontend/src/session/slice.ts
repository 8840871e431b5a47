import { unauthorized } from "@/api/events";
import type { RealtimeMessage } from "@/realtime/messages";
import { slice } from "@/store/slice";

/** Shown where a user has no nickname. */
export const DEFAULT_NICKNAME = "玄览用户";

/** The login state: everything the pages know of who is here. */
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
  hasUnreadMessage: false,
};

export interface LoginIdentity {
  token: string;
  loginId: string;
}

/** What the calls about the person say of it; absent and empty values change nothing that has a default. */
export interface Profile {
  avatar?: string | null;
  nickname?: string | null;
  phone?: string;
  uploaderType?: number;
  username?: string;
  newLoginId?: string;
  openId?: string | null;
}

type ThirdParty = { openId: string; avatar: string; nickname: string; type: string };

const { actions, reducer } = slice(
  "session",
  emptySession,
  {
    signedIn: (_state, { loginId, token }: LoginIdentity): SessionState => ({
      ...emptySession,
      loginId,
      authorization: token,
      loginstate: true,
    }),
    tokenRenewed: (state, authorization: string): SessionState => ({ ...state, authorization }),
    signedOut: (_state): SessionState => emptySession,
    profileLoaded: (state, profile: Profile): SessionState => ({
      ...state,
      avatar: profile.avatar || state.avatar,
      nickname: profile.nickname || state.nickname,
      phone: profile.phone ?? state.phone,
      uploaderType: profile.uploaderType ?? state.uploaderType,
      username: profile.username ?? state.username,
      newLoginId: profile.newLoginId ?? state.newLoginId,
      openId: profile.openId ?? state.openId,
    }),
    smsKeyReceived: (state, smsKey: string): SessionState => ({ ...state, smsKey }),
    thirdPartyRecognised: (state, { openId, avatar, nickname, type }: ThirdParty): SessionState => ({
      ...state,
      openId,
      thirdPartyAvatar: avatar,
      thirdPartyNickname: nickname,
      thirdPartyType: type,
    }),
    messageReceived: (state, message: RealtimeMessage): SessionState => ({
      ...state,
      webSocketData: message,
      hasUnreadMessage: state.hasUnreadMessage || message.type === "MESSAGE",
    }),
    unreadMessagesRead: (state): SessionState => ({ ...state, hasUnreadMessage: false }),
  },
  (state, action) => (unauthorized.match(action) ? emptySession : state),
);

export const {
  signedIn,
  tokenRenewed,
  signedOut,
  profileLoaded,
  smsKeyReceived,
  thirdPartyRecognised,
  messageReceived,
  unreadMessagesRead,
} = actions;
export const sessionReducer = reducer;
