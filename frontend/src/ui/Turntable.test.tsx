import { ThemeProvider } from "@mui/system";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { theme } from "@/theme";
import { Turntable } from "./Turntable";

const motion = (reduced: boolean) =>
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: reduced && query.includes("reduced-motion"),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));

beforeEach(() => {
  vi.useFakeTimers();
  motion(false);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function shown(src: string | null = "/turn.webp"): { image: () => Element | null } {
  render(
    <ThemeProvider theme={theme}>
      <Turntable src={src}>
        <button type="button">齿轮</button>
      </Turntable>
    </ThemeProvider>,
  );
  return { image: () => document.querySelector('img[src="/turn.webp"]') };
}

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const card = () => screen.getByText("齿轮").parentElement as HTMLElement;

test("nothing is loaded before the pointer rests, and it goes with the pointer", () => {
  const { image } = shown();
  expect(image()).toBeNull();
  fireEvent.pointerEnter(card(), { pointerType: "mouse" });
  wait(50);
  expect(image()).toBeNull();
  wait(200);
  expect(image()).not.toBeNull();
  fireEvent.pointerLeave(card(), { pointerType: "mouse" });
  expect(image()).toBeNull();
});

test("a pointer that passes by asks for nothing", () => {
  const { image } = shown();
  fireEvent.pointerEnter(card(), { pointerType: "mouse" });
  wait(50);
  fireEvent.pointerLeave(card(), { pointerType: "mouse" });
  wait(1000);
  expect(image()).toBeNull();
});

test("the focus shows it, Escape takes it away", () => {
  const { image } = shown();
  fireEvent.focus(screen.getByText("齿轮"));
  wait(200);
  expect(image()).not.toBeNull();
  fireEvent.keyDown(screen.getByText("齿轮"), { key: "Escape" });
  expect(image()).toBeNull();
});

test("a finger has to rest", () => {
  const { image } = shown();
  fireEvent.pointerDown(card(), { pointerType: "touch" });
  wait(300);
  expect(image()).toBeNull();
  wait(200);
  expect(image()).not.toBeNull();
  fireEvent.pointerUp(card(), { pointerType: "touch" });
  expect(image()).toBeNull();
});

test("no motion for who wants none, none without a picture, none when it cannot be loaded", () => {
  motion(true);
  const { image } = shown();
  fireEvent.pointerEnter(card(), { pointerType: "mouse" });
  wait(1000);
  expect(image()).toBeNull();
  motion(false);
  fireEvent.focus(screen.getByText("齿轮"));
  wait(200);
  fireEvent.error(image() as Element);
  expect(image()).toBeNull();
});

test("a file without turntable shows nothing", () => {
  const { image } = shown(null);
  fireEvent.pointerEnter(card(), { pointerType: "mouse" });
  wait(1000);
  expect(image()).toBeNull();
});
