import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { turn } from "@/lib/turn";
import { renderPage } from "@/test/render";
import { type Answer, answer, names } from "@/test/server";
import { allAnswered } from "@/test/site";
import { standIn } from "@/test/standIn";
import { stomp } from "@/test/stomp";
import { enterSession } from "./actions";
import { readToken, writeLogin } from "./cookies";
import { ended } from "./ended";
import { emptySession } from "./slice";

const user = { token: "tok-1", loginId: "u1", expiresIn: 3600 };
const REFUSED = { code: 401, message: "token 已失效", status: 401 };
const SAID = "登录已失效，请重新登录";

afterEach(() => {
  window.history.replaceState(null, "", "/");
});

/** A signed-in page at an address, whose queue is connected. `state` is what the server answers to its question. */
async function openPage(path: string, state: Answer, random = 0) {
  window.history.replaceState(null, "", path);
  let signingIn = true;
  const calls = answer({ appuserinfo: () => (signingIn ? { code: 60404, message: "x" } : state) });
  const refused = new Set<string>();
  const queue = stomp(refused);
  const page = renderPage(null);
  page.store.dispatch(enterSession(user));
  await waitFor(() => expect(page.store.getState().realtime.connected).toBe(true));
  await waitFor(() => expect(names(calls)).toContain("appuserinfo"));
  await allAnswered(page.store);
  signingIn = false;
  // Only now: the store makes its listeners' names by chance.
  standIn(Math, "random", () => random);
  const questions = () => names(calls).filter((name) => name === "appuserinfo").length - 1;
  const connectedAgain = () =>
    waitFor(() => expect(page.store.getState().realtime).toEqual({ connected: true, connections: 2 }));
  return { ...page, ...queue, refused, questions, connectedAgain };
}

it("a page whose login was ended elsewhere leaves at once for the sign-in page, which says why", async () => {
  const { store, end, visited, questions } = await openPage("/workbench/myUpload", REFUSED);
  end();
  await waitFor(() => expect(visited).toEqual(["/login?returnURL=%2Fworkbench%2FmyUpload"]));
  expect(store.getState().session).toEqual(emptySession);
  expect(readToken()).toBe("");
  expect(questions()).toBe(1);
  expect(ended.marked()).toBe(true);
});

it("a page that needs no login stays, and says so", async () => {
  const { store, end, visited } = await openPage("/news", REFUSED);
  end();
  expect(await screen.findByText(SAID)).toBeVisible();
  expect(screen.queryByText("请登录")).toBeNull();
  expect(store.getState().session).toEqual(emptySession);
  expect(visited).toEqual([]);
  expect(ended.marked()).toBe(false);
});

it("a login that ended while the connection was lost is found out by the next one", async () => {
  const { store, refused, clients } = await openPage("/news", REFUSED);
  refused.add("tok-1");
  clients.at(-1)?.close();
  await waitFor(() => expect(store.getState().session).toEqual(emptySession));
});

it("a renewed token ends the old one's connection and nothing else, and nobody is asked", async () => {
  const { store, end, questions, connectedAgain, heard } = await openPage("/workbench", REFUSED);
  writeLogin("tok-2", "u1");
  end();
  await connectedAgain();
  expect(heard.filter((frame) => frame.startsWith("CONNECT")).at(-1)).toContain("Bearer tok-2");
  expect(store.getState().session).toMatchObject({ loginId: "u1", authorization: "tok-2" });
  expect(questions()).toBe(0);
});

it.each<[string, Answer]>([
  ["is busy", { code: 60503, message: "服务暂时不可用，请稍后再试", status: 503 }],
  ["cannot be reached", "network error"],
])("nothing ends, and nothing is said, where the server %s", async (_what, state) => {
  const { store, end, visited, questions, connectedAgain } = await openPage("/workbench", state);
  end();
  await connectedAgain();
  await waitFor(() => expect(questions()).toBe(1));
  expect(store.getState().session).toMatchObject({ loginId: "u1", authorization: "tok-1" });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(visited).toEqual([]);
});

it("a restart of the server makes no page ask", async () => {
  const { store, clients, questions, connectedAgain } = await openPage("/workbench", REFUSED);
  clients.at(-1)?.close();
  await connectedAgain();
  expect(questions()).toBe(0);
  expect(store.getState().session.loginId).toBe("u1");
});

it("another tab that was refused too and has removed the login does not keep this one from leaving", async () => {
  const { end, visited, questions } = await openPage("/workbench", REFUSED);
  writeLogin("", "");
  end();
  await waitFor(() => expect(visited).toEqual(["/login?returnURL=%2Fworkbench"]));
  expect(questions()).toBe(0);
});

it("the pages of one server do not ask all at the same moment", async () => {
  const { end, questions, store } = await openPage("/news", REFUSED, 0.5);
  const asking = () =>
    Object.values(store.getState().api.queries).some((query) => query?.status === "pending");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  end();
  while (store.getState().realtime.connected) await turn();
  await vi.advanceTimersByTimeAsync(499);
  expect(asking()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(asking()).toBe(true);
  vi.useRealTimers();
  await waitFor(() => expect(store.getState().session).toEqual(emptySession));
  expect(questions()).toBe(1);
});
