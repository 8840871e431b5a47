import { HttpResponse, http, ws } from "msw";
import { setupServer } from "msw/node";

/** The push socket; by default it accepts the connection and stays silent. */
export const socket = ws.link(/\/ws$/);

/** The network boundary of the tests: everything above it is real. */
export const server = setupServer(
  socket.addEventListener("connection", () => undefined),
  // Background loads that outlive the test which started them.
  http.all(/\/api-/, () => HttpResponse.json({ resp_code: 60404, resp_msg: "该服务尚未开放", datas: null })),
);

export interface HeardCall {
  path: string;
  /** Last part of the path. */
  name: string;
  form: Record<string, string>;
  /** The raw body. */
  text: string;
  headers: Headers;
}

export type Answer = { code?: number; message?: string; datas?: unknown; status?: number } | "network error";
type Answers = Record<string, Answer | ((call: HeardCall) => Answer | Promise<Answer>)>;

/** Answers of calls that run in the background of most tests. */
const quiet: Answers = {
  appuserinfo: { code: 60404, message: "该服务尚未开放" },
  queryInfo: { code: 60404, message: "该服务尚未开放" },
  accountInformation: { code: 60404, message: "该服务尚未开放" },
  getPersonalStatisticsByUserId: { code: 60404, message: "该服务尚未开放" },
  getCartList: { code: 60404, message: "该服务尚未开放" },
  // No offer and no reminder is due; prices are not available.
  hasBeenGotCombinationCoupons: { datas: true },
  checkNeedMemberCouponUp: { datas: false },
  checkCouponUpDeadlineSeven: { datas: false },
  selectMemberGradeList: { code: 60404, message: "该服务尚未开放" },
  // The account is not frozen.
  isFreeze: { datas: false },
  logout: {},
  // The model has no reviews.
  reviews: {
    datas: { totalCount: 0, results: [], ratingSum: 0, ratingCount: 0, distribution: [0, 0, 0, 0, 0] },
  },
  mine: { datas: { allowed: false, reason: "购买或领取这个模型后才能评价", hiddenReason: "" } },
  // Nothing is published yet.
  categories: { datas: { categories: [] } },
  pages: { datas: { groups: [] } },
  // The mall has no categories.
  labelCate: { datas: [] },
  // No membership has counts.
  freeCounts: { datas: [] },
  // No model is a favourite.
  marks: { datas: { modelIds: [] } },
  // No reply is unread.
  queryCommentIsRead: { datas: { isreadComment: true } },
  // The account is not being closed.
  state: { datas: { state: "none", requestedAt: 0, dueAt: 0, days: 15, losses: null } },
  friendlinkList: { datas: [] },
  storage: { datas: { usedBytes: 0, limitBytes: 10 * 1024 ** 3, unlimited: false } },
  // No popup is published.
  getPopupSettings: { datas: { status: "0", img: null, jumpLink: null, popRule: null } },
  getMemberPopup: {},
};

/**
 * Mocks every API call by the last part of its path and records the requests. A call without an
 * answer fails the test.
 */
export function answer(answers: Answers): HeardCall[] {
  const heard: HeardCall[] = [];
  const table = { ...quiet, ...answers };
  server.use(
    http.all(/\/api-/, async ({ request }) => {
      const { pathname } = new URL(request.url);
      const name = pathname.split("/").at(-1) ?? "";
      const text = await request.text();
      const form = Object.fromEntries(new URLSearchParams(text));
      const call = { path: pathname, name, form, text, headers: request.headers };
      heard.push(call);
      const planned = table[name];
      if (planned === undefined) throw new Error(`no answer for ${pathname}`);
      const reply = typeof planned === "function" ? await planned(call) : planned;
      if (reply === "network error") return HttpResponse.error();
      const { code = 60000, message = "操作成功", datas = null, status = 200 } = reply;
      return HttpResponse.json({ resp_code: code, resp_msg: message, datas }, { status });
    }),
  );
  return heard;
}

export const names = (calls: HeardCall[]): string[] => calls.map((call) => call.name);

/** `datas` of a successful token call. */
export const tokenDatas = (token = "tok-1", loginId = "u1", expiresIn = 3600): string =>
  JSON.stringify({ access_token: token, token_type: "bearer", expires_in: expiresIn, loginId });
