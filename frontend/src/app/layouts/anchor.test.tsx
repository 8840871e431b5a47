import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answer } from "@/test/server";
import { allAnswered, frameAnswers, openSite } from "@/test/site";
import { standIn } from "@/test/standIn";

const ANCHORED = "/applicationCenter/aboutUs#contactUs";
const POSITIONS = "react-router-scroll-positions";
/** Where a part that was brought into view begins, below the header. */
const IN_VIEW = 88;

/** Where the part begins now. */
let top: number;

beforeEach(() => {
  top = 1416;
  standIn(Element.prototype, "scrollIntoView", function (this: Element) {
    if (this.id === "contactUs") top = IN_VIEW;
  });
  standIn(Element.prototype, "getBoundingClientRect", function (this: Element) {
    return new DOMRect(0, this.id === "contactUs" ? top : 0, 0, 0);
  });
  answer(frameAnswers());
});

afterEach(() => {
  window.dispatchEvent(new Event("pagehide"));
  sessionStorage.clear();
});

const frames = async (count: number) => {
  for (let left = count; left > 0; left -= 1) await new Promise((drawn) => requestAnimationFrame(drawn));
};

test("the part under an anchor is brought into view again when what is above it changes", async () => {
  openSite(ANCHORED);
  await waitFor(() => expect(top).toBe(IN_VIEW));
  top = -126;
  await waitFor(() => expect(top).toBe(IN_VIEW));
});

test("an anchor with a broken escape leads to the top of the page", async () => {
  openSite("/applicationCenter/aboutUs#%E0");
  expect(await screen.findByRole("heading", { level: 1 })).toBeVisible();
  await frames(5);
  expect(top).toBe(1416);
});

test("a visitor who moves on is not brought back", async () => {
  const { store } = openSite(ANCHORED);
  await waitFor(() => expect(top).toBe(IN_VIEW));
  await allAnswered(store);
  fireEvent.wheel(document.body);
  top = -126;
  await frames(5);
  expect(top).toBe(-126);
});

test("a page opened by its address does not begin where another one was left, but a reload of it does", async () => {
  const places: unknown[] = [];
  standIn(window, "scrollTo", (_x: unknown, y?: number) => void places.push(y));
  sessionStorage.setItem(POSITIONS, JSON.stringify({ default: 5825, "/siteMap": 5825, "/news?page=2": 300 }));
  openSite("/news?page=2");
  await waitFor(() => expect(places).toContain(300));
  expect(places).not.toContain(5825);
});
