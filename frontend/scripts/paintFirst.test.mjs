import { afterEach, expect, test, vi } from "vitest";
import { failureMessages } from "@/messages/failures";
import { boot, paintFirst, withEarlyWork, withScripts } from "./paintFirst.mjs";

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

/** Workers that only the test drives, which jsdom has none of. */
function workers() {
  const made = [];
  class Double {
    constructor(address) {
      this.address = address;
      made.push(this);
    }
    terminate() {
      this.ended = true;
    }
  }
  vi.stubGlobal("Worker", Double);
  const texts = new Map();
  vi.stubGlobal("URL", {
    createObjectURL: (blob) => {
      texts.set("blob:1", blob);
      return "blob:1";
    },
    revokeObjectURL: (address) => texts.delete(address),
  });
  return { made, texts };
}

class Forbidden {
  constructor() {
    throw new DOMException("forbidden", "SecurityError");
  }
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  delete window.earlyWork;
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

test("a page's worker starts before its scripts, and what it sends is kept for them", async () => {
  const { made, texts } = workers();
  run(withEarlyWork(paintFirst(shell), "postMessage(1 < 2)"));
  expect(await texts.get(made[0].address).text()).toBe("postMessage(1 < 2)");
  made[0].onmessage({ data: [7] });
  expect(await window.earlyWork).toEqual([7]);
  expect([made[0].ended, texts.size]).toEqual([true, 0]);
});

test("a worker that fails leaves the page's scripts to do its work", async () => {
  const { made } = workers();
  run(withEarlyWork(paintFirst(shell), "throw 1"));
  made[0].onerror();
  expect(await window.earlyWork).toBeUndefined();
  run(paintFirst(shell));
  expect(made).toHaveLength(1);
  // a policy that forbids such workers
  vi.stubGlobal("Worker", Forbidden);
  run(withEarlyWork(paintFirst(shell), "postMessage(1)"));
  expect(await window.earlyWork).toBeUndefined();
  expect(() => withEarlyWork("<head></head>", "a = '</script>'")).toThrow("would end its element");
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
