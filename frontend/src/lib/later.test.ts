import { expect, it, vi } from "vitest";
import { deferred } from "@/test/deferred";
import { holdBack, later } from "./later";

it("work waits for all that the page shows first, also for what is announced meanwhile, and not for failures", async () => {
  const page = deferred();
  const lost = deferred();
  const done = vi.fn();
  await later();
  void holdBack(page.promise);
  const waiting = later().then(done);
  holdBack(lost.promise.then(() => Promise.reject(new Error("lost")))).catch(() => undefined);
  page.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).not.toHaveBeenCalled();
  lost.resolve();
  await waiting;
  await later();
});
