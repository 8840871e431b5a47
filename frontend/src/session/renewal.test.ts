import { waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { authEndpoints } from "@/calls/auth";
import { personalEndpoints } from "@/calls/personal";
import type { AppStore } from "@/store";
import { deferred } from "@/test/deferred";
import { noLocks } from "@/test/locks";
import { startStore } from "@/test/render";
import { answer, type HeardCall, tokenDatas } from "@/test/server";
import { enterSession, renewToken } from "./actions";
import { readToken, writeLogin } from "./cookies";
import { rememberExpiry } from "./token";

const user = { token: "tok-1", loginId: "u1", expiresIn: 3600 };
const REFUSED = { code: 401, message: "token 已失效", status: 401 };

const bearer = ({ headers }: HeardCall) => headers.get("authorization");
const bearers = (calls: HeardCall[], name: string) => calls.filter((call) => call.name === name).map(bearer);

function signedIn(): AppStore {
  const store = startStore();
  store.dispatch(enterSession(user));
  return store;
}

const read = (store: AppStore) =>
  store.dispatch(personalEndpoints.getTheGuidePageReadingStatus.initiate({}, { subscribe: false }));
const write = (store: AppStore) =>
  store.dispatch(authEndpoints.setInterestAndRegisterPurpose.initiate({ interest: "game" }));

/** A server for which only the newest token is valid. */
const onlyNew = (call: HeardCall) => (bearer(call) === "Bearer tok-2" ? { datas: true } : REFUSED);

describe("a call whose token was renewed on its way", () => {
  it("is sent once more with the new one, whether it reads or writes", async () => {
    const elsewhere = (call: HeardCall) => {
      writeLogin("tok-2", "u1");
      return onlyNew(call);
    };
    const calls = answer({
      getTheGuidePageReadingStatus: elsewhere,
      setInterestAndRegisterPurpose: elsewhere,
    });
    const store = signedIn();
    expect(await read(store)).toMatchObject({ data: true });
    writeLogin("tok-1", "u1");
    expect((await write(store)).error).toBeUndefined();
    expect(bearers(calls, "getTheGuidePageReadingStatus")).toEqual(["Bearer tok-1", "Bearer tok-2"]);
    expect(bearers(calls, "setInterestAndRegisterPurpose")).toEqual(["Bearer tok-1", "Bearer tok-2"]);
    expect(store.getState().session.loginId).toBe("u1");
  });

  it.each(["with locks", "without locks"])(
    "waits for the renewal when it is refused before the new token is here (%s)",
    async (browser) => {
      if (browser === "without locks") noLocks();
      const renewal = deferred();
      const asked = deferred();
      const refused = deferred();
      const calls = answer({
        token: async () => {
          asked.resolve();
          await renewal.promise;
          return { datas: tokenDatas("tok-2") };
        },
        userIsExist: { datas: false },
        getTheGuidePageReadingStatus: (call) => {
          refused.resolve();
          return onlyNew(call);
        },
      });
      const store = signedIn();
      const renewed = store.dispatch(renewToken());
      await asked.promise;
      const result = read(store);
      await refused.promise;
      // Any other call is answered meanwhile: the refusal has arrived too.
      await store.dispatch(authEndpoints.userIsExist.initiate({ username: "13800138000" }, { track: false }));
      expect(readToken()).toBe("tok-1");
      renewal.resolve();
      expect(await renewed).toBe(true);
      expect(await result).toMatchObject({ data: true });
      expect(bearers(calls, "getTheGuidePageReadingStatus")).toEqual(["Bearer tok-1", "Bearer tok-2"]);
      expect(store.getState().session).toMatchObject({ loginId: "u1", authorization: "tok-2" });
    },
  );

  it("is given up where the user has signed out meanwhile", async () => {
    const calls = answer({
      getTheGuidePageReadingStatus: () => {
        writeLogin("", "");
        return REFUSED;
      },
    });
    const result = await read(signedIn());
    expect(result.error).toMatchObject({ status: 401 });
    expect(bearers(calls, "getTheGuidePageReadingStatus")).toEqual(["Bearer tok-1"]);
  });
});

describe("without locks, a token that is refused", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A signed-in page that holds the time still; the server refuses its token. */
  function start() {
    noLocks();
    const refused = deferred();
    const refuse = (call: HeardCall) => {
      if (bearer(call) === "Bearer tok-1") refused.resolve();
      return onlyNew(call);
    };
    const calls = answer({ getTheGuidePageReadingStatus: refuse, token: refuse });
    const store = signedIn();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    return { store, calls, refused: refused.promise };
  }

  it("is given time for another tab to put its new one into the cookie, by a call", async () => {
    const { store, calls, refused } = start();
    const result = read(store);
    await refused;
    await vi.advanceTimersByTimeAsync(2_000);
    writeLogin("tok-2", "u1");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toMatchObject({ data: true });
    expect(bearers(calls, "getTheGuidePageReadingStatus")).toEqual(["Bearer tok-1", "Bearer tok-2"]);
    expect(store.getState().session.loginId).toBe("u1");
  });

  it("is given that time by a renewal, which takes the other's token for its own", async () => {
    const { store, calls, refused } = start();
    const renewed = store.dispatch(renewToken());
    await refused;
    await vi.advanceTimersByTimeAsync(2_000);
    writeLogin("tok-2", "u1");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await renewed).toBe(true);
    expect(bearers(calls, "token")).toEqual(["Bearer tok-1"]);
    expect(store.getState().session).toMatchObject({ loginId: "u1", authorization: "tok-2" });
  });

  it.each([
    ["call", read],
    ["renewal", (store: AppStore) => store.dispatch(renewToken())],
  ])("ends the login when none comes within 3 s, by a %s", async (_what, act) => {
    const { store, refused } = start();
    const result = act(store);
    await refused;
    await vi.advanceTimersByTimeAsync(3_500);
    await result;
    expect(store.getState().session.loginId).toBe("");
    expect(readToken()).toBe("");
  });
});

describe("tabs that renew the token together", () => {
  it("ask the server once, and all go on with the new token", async () => {
    const calls = answer({ token: { datas: tokenDatas("tok-2") } });
    const tabs = [signedIn(), signedIn()];
    expect(await Promise.all(tabs.map((tab) => tab.dispatch(renewToken())))).toEqual([true, true]);
    expect(bearers(calls, "token")).toEqual(["Bearer tok-1"]);
    expect(readToken()).toBe("tok-2");
    expect(tabs.map((tab) => tab.getState().session.authorization)).toEqual(["tok-2", "tok-2"]);
  });

  it("take a token that another one has renewed before their time came", async () => {
    const calls = answer({ token: { datas: tokenDatas("tok-3") } });
    const store = startStore();
    // The renewal is due at once, but another tab comes first.
    store.dispatch(enterSession({ ...user, expiresIn: 30 }));
    writeLogin("tok-2", "u1");
    rememberExpiry(3600);
    await waitFor(() => expect(store.getState().session.authorization).toBe("tok-2"));
    expect(bearers(calls, "token")).toEqual([]);
  });
});
