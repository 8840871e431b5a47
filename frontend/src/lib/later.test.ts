import { expect, it, vi } from "vitest";
import { deferred } from "@/test/deferred";
import { holdBack, later } from "./later";
import { turn } from "./turn";

it("work waits for all that the page shows first, also for what is announced meanwhile, and not for failures", async () => {
  const page = deferred();
  const lost = deferred();
  const done = vi.fn();
  await later();
  void holdBack(page.promise);
  const waiting = later().then(done);
  holdBack(lost.promise.then(() => Promise.reject(new Error("lost")))).catch(() => undefined);
  page.resolve();
  await turn();
  expect(done).not.toHaveBeenCalled();
  lost.resolve();
  await waiting;
  await later();
});
