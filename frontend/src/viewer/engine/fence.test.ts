import { expect, it, vi } from "vitest";
import { caughtUp } from "./fence";

/** A context whose fence is passed after a number of looks; jsdom has none. */
function context(looks: number) {
  const gl = {
    SYNC_GPU_COMMANDS_COMPLETE: 1,
    SYNC_STATUS: 2,
    SIGNALED: 3,
    fenceSync: () => ({}),
    flush: vi.fn(),
    getSyncParameter: () => (looks-- > 0 ? 0 : 3),
    deleteSync: vi.fn(),
  };
  return gl as typeof gl & WebGL2RenderingContext;
}

it("the graphics process is waited for between tasks, up to a limit, and the fence is given back", async () => {
  vi.useFakeTimers();
  const soon = context(3);
  const [never, lost] = [context(Number.POSITIVE_INFINITY), context(0)];
  lost.fenceSync = () => null as never;
  const all = Promise.all([caughtUp(soon, 1000), caughtUp(never, 1000), caughtUp(lost, 1000)]);
  await vi.advanceTimersByTimeAsync(1100);
  expect(await all).toEqual([true, false, false]);
  for (const gl of [soon, never]) {
    expect(gl.flush).toHaveBeenCalledOnce();
    expect(gl.deleteSync).toHaveBeenCalledOnce();
  }
  vi.useRealTimers();
});
