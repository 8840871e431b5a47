/** Milliseconds from one frame to the next. */
const FRAME = 16;

/**
 * Frames by the timers of this moment. Those of jsdom come from an interval that starts with the first request: begun while a
 * test fakes intervals, it never ran again, for all test files that share the window.
 */
export function realFrames(): void {
  const { setTimeout, clearTimeout } = globalThis;
  window.requestAnimationFrame = (callback) => Number(setTimeout(() => callback(performance.now()), FRAME));
  window.cancelAnimationFrame = (frame) => clearTimeout(frame);
}
