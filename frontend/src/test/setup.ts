import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { resetClockOffset } from "@/api/baseQuery";
import { setConfig } from "@/api/config";
import { clearLogin } from "@/session/cookies";
import { setToastHost } from "@/ui/toast";
import { server } from "./server";
import { standInsGone } from "./standIn";

export const testConfig = {
  clientId: "web",
  clientSecret: "test-secret-not-for-production",
  kid: "k1",
};

// The machine may be busy; a wait ends as soon as its condition holds.
configure({ asyncUtilTimeout: 60_000 });

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());

beforeEach(() => {
  setConfig(testConfig);
  resetClockOffset();
});

afterEach(() => {
  cleanup();
  standInsGone();
  // Toasts that still wait for their host go nowhere, instead of into the next test.
  setToastHost(() => undefined);
  setToastHost(undefined);
  server.resetHandlers();
  clearLogin();
  localStorage.clear();
  sessionStorage.clear();
});
