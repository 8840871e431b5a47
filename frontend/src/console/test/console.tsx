import { render } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { createMemoryRouter, RouterProvider } from "react-router";
import { server } from "@/test/server";
import { startUser, type UserOptions } from "@/test/user";
import { bindDispatch } from "../api/run";
import { dropToken, keepToken } from "../api/token";
import { Providers } from "../Providers";
import { routeTree } from "../router";
import { resume } from "../session/calls";
import { createConsoleStore } from "../store";

export interface Heard {
  call: string;
  body: Record<string, unknown>;
  token: string;
  cookies: string | null;
}

export type Reply = { code?: number; message?: string; status?: number; datas?: unknown };
export type Replies = Record<string, Reply | ((body: Record<string, unknown>) => Reply)>;

const HOUR = 3_600_000;

export const me = (permissions: string[], more: object = {}): Reply => ({
  datas: {
    id: "o1",
    name: "linyi",
    roles: ["客服"],
    permissions,
    freshUntil: 0,
    expiresAt: Date.now() + 8 * HOUR,
    recoveryCodes: 10,
    ...more,
  },
});

/** Every permission of the calls that the tests answer. */
export const ALL = ["*"];

/** Mocks calls by their path below `/api-console/auth/` and records the requests. */
export function answers(replies: Replies): Heard[] {
  const heard: Heard[] = [];
  server.use(
    http.post(/\/api-console\//, async ({ request }) => {
      const call = new URL(request.url).pathname.replace("/api-console/auth/", "");
      const body = (await request.json()) as Record<string, unknown>;
      const token = (request.headers.get("Authorization") ?? "").replace("Bearer ", "");
      heard.push({ call, body, token, cookies: request.headers.get("Cookie") });
      // cards and panels of areas that the test ignores
      const planned = replies[call] ?? { code: 60404, message: "该服务尚未开放" };
      const {
        code = 60000,
        message = "操作成功",
        status = 200,
        datas = {},
      } = typeof planned === "function" ? planned(body) : planned;
      return HttpResponse.json({ resp_code: code, resp_msg: message, datas }, { status });
    }),
  );
  return heard;
}

/** The console at an address; with a token as after a reload, without one as at first. */
export function open(address: string, token = "t1", options?: UserOptions) {
  if (token) keepToken(token);
  else dropToken();
  const store = createConsoleStore();
  bindDispatch(store.dispatch);
  void store.dispatch(resume());
  const router = createMemoryRouter(routeTree(), { initialEntries: [address] });
  const view = render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { store, router, view, user: startUser(options) };
}
