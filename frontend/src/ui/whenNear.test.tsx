import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { whenNear } from "./whenNear";

let near: (() => void) | undefined;

beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        near = () => callback([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function part(options?: { eager: boolean }) {
  const load = vi.fn(() => Promise.resolve(() => <p>就在这里</p>));
  return { load, Part: whenNear(load, 480, options) };
}

it("loads nothing on a page that nobody touches, however long it stands", () => {
  vi.useFakeTimers();
  const { load, Part } = part();
  render(<Part />);
  vi.advanceTimersByTime(3_600_000);
  expect(load).not.toHaveBeenCalled();
});

it("loads an eager part after 2 s", () => {
  vi.useFakeTimers();
  const { load, Part } = part({ eager: true });
  render(<Part />);
  vi.advanceTimersByTime(1_999);
  expect(load).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(load).toHaveBeenCalledTimes(1);
});

it.each(["pointerMove", "keyDown", "scroll", "focusIn"] as const)(
  "loads at the first %s, once",
  async (move) => {
    const { load, Part } = part();
    render(<Part />);
    fireEvent[move](window);
    fireEvent[move](window);
    expect(await screen.findByText("就在这里")).toBeVisible();
    expect(load).toHaveBeenCalledTimes(1);
  },
);

it("loads when it comes near the window", async () => {
  const { Part } = part();
  render(<Part />);
  near?.();
  expect(await screen.findByText("就在这里")).toBeVisible();
});

it("loads before the page is printed", async () => {
  const { Part } = part();
  render(<Part />);
  fireEvent(window, new Event("beforeprint"));
  expect(await screen.findByText("就在这里")).toBeVisible();
});
