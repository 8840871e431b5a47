import { expect, it } from "vitest";
import { takeModel } from "./model";

it("takes the model out of the page, in order, and leaves no text behind", () => {
  const page = document.createElement("div");
  const parts = ["abc", "def", "\u00ff!"];
  for (const part of parts) {
    const element = document.createElement("script");
    element.type = "application/x-amrt";
    element.textContent = btoa(part);
    page.append(element);
  }
  page.append(document.createElement("script"));
  expect(takeModel(page)).toEqual(Uint8Array.from([97, 98, 99, 100, 101, 102, 255, 33]));
  expect(page.querySelectorAll("script")).toHaveLength(1);
  expect(takeModel(page)).toHaveLength(0);
});
