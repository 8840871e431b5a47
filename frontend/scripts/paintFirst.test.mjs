import { afterEach, expect, test, vi } from "vitest";
import { failureMessages } from "@/messages/failures";
import { boot, paintFirst, withScripts } from "./paintFirst.mjs";

const shell =
  '<head><script defer="defer" src="/assets/a.js"></script><script defer src="/assets/b.js"></script></head>';

/** The addresses of the scripts that the small script has added to the document. */
const added = () =>
  [...document.querySelectorAll("script")].map((script) => [new URL(script.src).pathname, script.async]);

/** Runs the small script in a document with the links of the page, and with its first lines. */
function run(page, lines = "") {
  document.head.innerHTML = page.replace(/<\/?head>/g, "");
  document.body.innerHTML = `<div id="root">${lines}</div>`;
  document.querySelector("script").remove();
  new Function(boot.text)();
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  document.head.innerHTML = "";
  document.body.innerHTML = "";
});

test("scripts are fetched with the page, and added after its first lines are drawn, in order and once", () => {
  vi.useFakeTimers();
  const page = withScripts(paintFirst(shell), ["assets/c.js"]);
  expect(page).toContain(`<script async fetchpriority="high" src="/${boot.file}"></script>`);
  expect(page).not.toContain("defer");
  run(page, "<main>让每一个三维模型</main>");
  expect(added()).toEqual([]);
  // the first drawing, and the timer that starts them where it does not come
  vi.advanceTimersByTime(100);
  expect(added()).toHaveLength(3);
  vi.advanceTimersByTime(2000);
  expect(added()).toEqual([
    ["/assets/a.js", false],
    ["/assets/b.js", false],
    ["/assets/c.js", false],
  ]);
});

test("a page without first lines does not wait, but for all of its links", () => {
  run(paintFirst(shell));
  expect(added()).toHaveLength(2);
  const reading = vi.spyOn(document, "readyState", "get").mockReturnValue("loading");
  run(paintFirst(shell));
  expect(added()).toEqual([]);
  reading.mockRestore();
  document.dispatchEvent(new Event("DOMContentLoaded"));
  expect(added()).toHaveLength(2);
});

test("a script without which nothing starts reports its failure, once; the page's own does not", () => {
  vi.useFakeTimers();
  const page = withScripts(paintFirst(shell), ["assets/c.js"]);
  run(page);
  vi.advanceTimersByTime(100);
  const [a, b, c] = document.querySelectorAll("script");
  c.dispatchEvent(new Event("error"));
  expect(document.querySelector("[role=alert]")).toBeNull();
  a.dispatchEvent(new Event("error"));
  b.dispatchEvent(new Event("error"));
  const { configFailed, network, retry } = failureMessages;
  const told = [...document.querySelectorAll("[role=alert]")].map((one) => one.textContent);
  expect(told).toEqual([`${configFailed}：${network}${retry}`]);
});

test("a shell without scripts is a mistake of the build", () => {
  expect(() => paintFirst("<head></head>")).toThrow("no deferred script");
});
