import { expect, it } from "vitest";
import { askedAt, markAsked } from "@/lib/asked";
import { createAppRouter } from "./router";

it("waiting counts from the click that asked for a page, and from the opening of the first one", async () => {
  const router = createAppRouter();
  markAsked(0);
  const before = performance.now();
  await router.navigate("/pricePage");
  const first = askedAt();
  expect(first).toBeGreaterThanOrEqual(before);
  expect(first).toBeLessThanOrEqual(performance.now());
  await router.navigate("/helpCenter");
  expect(askedAt()).toBeGreaterThan(first);
  router.dispose();
});
