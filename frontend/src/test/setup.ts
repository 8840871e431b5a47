import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { resetClockOffset } from "@/api/baseQuery";
import { setConfig } from "@/api/config";
import { clearLogin } from "@/session/cookies";
import { setToastHost } from "@/ui/toast";
import { realFrames } from "./frames";
import { fakeLocks } from "./locks";
import { server } from "./server";
import { standInsGone } from "./standIn";
import { forgetStyles, gatherStyles } from "./styles";

declare const jsdom: { cookieJar: { removeAllCookiesSync(): void } };

export const testConfig = {
  clientId: "web",
  clientSecret: "test-secret-not-for-production",
  kid: "k1",
};

// The machine may be busy; waiting ends as soon as the condition holds.
configure({ asyncUtilTimeout: 180_000 });

realFrames();

// Missing in jsdom: media queries never match, and nothing scrolls.
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  }) as MediaQueryList;
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView ??= () => undefined;

beforeAll(() => {
  gatherStyles();
  server.listen({ onUnhandledFrame: "error" });
});

// The next file of this worker shares the window.
afterAll(() => {
  server.close();
  forgetStyles();
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  jsdom.cookieJar.removeAllCookiesSync();
  history.replaceState(null, "", "/");
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

beforeEach(() => {
  fakeLocks();
  setConfig(testConfig);
  resetClockOffset();
});

afterEach(() => {
  cleanup();
  standInsGone();
  // Toasts that still wait for their host are dropped, so that they do not reach the next test.
  setToastHost(() => undefined);
  setToastHost(undefined);
  server.resetHandlers();
  clearLogin();
  localStorage.clear();
  sessionStorage.clear();
});
