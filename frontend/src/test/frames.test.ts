import { afterEach, expect, it, vi } from "vitest";

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

afterEach(() => vi.useRealTimers());

it("a test that fakes intervals takes no frames from those after it", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "setTimeout"] });
  const asked = frame();
  vi.useRealTimers();
  await asked;
  await frame();
});

it("a frame that is cancelled does not come", async () => {
  const drawn = vi.fn();
  cancelAnimationFrame(requestAnimationFrame(drawn));
  await frame();
  await frame();
  expect(drawn).not.toHaveBeenCalled();
});
