/**
 * The scripts of a page that has first lines start after these were drawn: the browser fetches them at once, but compiles
 * them only when a small script adds them. Compiling beside the first layout makes it take three times as long on two
 * processors.
 */
import { createHash } from "node:crypto";

/** As `src/messages/failures.ts` says it. */
const FAILED = "页面没有准备好：网络连接失败，请检查网络后重试";
const RETRY = "重试";
/** Over the first lines of a page, where it has some. */
const NOTICE =
  "position:fixed;z-index:9;inset:auto 0 0;padding:16px 20px;display:flex;flex-wrap:wrap;gap:8px 16px;justify-content:center;" +
  "align-items:center;background:#fff;border-top:1px solid #e4e7ed;color:#1b2130;font-size:14px;line-height:22px";

/**
 * Runs in the page. The first lines come from the build or, with the site's contents, from the gateway; a page without them, or
 * a hidden one, draws nothing, so it does not wait for that. Of the scripts without which nothing starts a failure is reported;
 * the page's own ones are loaded again by the application. What a page's first picture needs is computed by a worker meanwhile:
 * until the scripts have arrived the processors are idle.
 */
const BOOT = `{
  let started = false;
  const failed = () => {
    if (document.getElementById("boot-failed")) return;
    const box = document.createElement("div");
    box.id = "boot-failed";
    box.setAttribute("role", "alert");
    box.style.cssText = "${NOTICE}";
    const again = document.createElement("button");
    again.textContent = "${RETRY}";
    again.onclick = () => location.reload();
    box.append("${FAILED}", again);
    document.body.append(box);
  };
  const start = () => {
    if (started) return;
    started = true;
    for (const link of document.querySelectorAll("link[rel=preload][as=script]")) {
      const script = document.createElement("script");
      script.src = link.href;
      script.async = false;
      if (link.id) script.onerror = failed;
      document.head.append(script);
    }
  };
  const compute = ({ textContent }) =>
    new Promise((resolve) => {
      const file = URL.createObjectURL(new Blob([textContent], { type: "text/javascript" }));
      const worker = new Worker(file);
      const end = (result) => {
        resolve(result);
        worker.terminate();
        URL.revokeObjectURL(file);
      };
      worker.onmessage = ({ data }) => end(data);
      worker.onerror = () => end();
    }).catch(() => undefined);
  const begin = () => {
    const work = document.getElementById("early-work");
    if (work) window.earlyWork = compute(work);
    if (document.hidden || !document.getElementById("root")?.hasChildNodes()) return start();
    requestAnimationFrame(() => setTimeout(start));
    setTimeout(start, 1000);
  };
  // before that, some of the links and the first lines may be missing
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
`;

/** Name and text of the small script in the build. */
export const boot = {
  file: `assets/boot.${createHash("sha256").update(BOOT).digest("hex").slice(0, 12)}.js`,
  text: BOOT,
};

const SCRIPT_LINK = '<link rel="preload" as="script"';

/** An address that `boot` adds as a script, in the order in which they stand in the page; with an id if the page needs it. */
const fetched = (address, id) =>
  `${SCRIPT_LINK}${id === undefined ? "" : ` id="need${id}"`} href="${address}">`;

const DEFERRED = /<script defer(?:="defer")? src="([^"]+)"><\/script>/g;

/** The page with its deferred scripts fetched at once and added by `boot`, which comes first. */
export function paintFirst(shell) {
  const addresses = [...shell.matchAll(DEFERRED)].map(([, address]) => address);
  if (addresses.length === 0) throw new Error("the page has no deferred script");
  const small = `<script async fetchpriority="high" src="/${boot.file}"></script>`;
  return shell
    .replace(DEFERRED, "")
    .replace("</head>", () => `${small}${addresses.map(fetched).join("")}</head>`);
}

/**
 * The page whose scripts are fetched after everything that its first lines need. Otherwise they compete with it, and page tests
 * take them for what the lines wait for. The gateway says the same of its pages.
 */
export const linesFirst = (page) => page.replaceAll(SCRIPT_LINK, `${SCRIPT_LINK} fetchpriority="low"`);

/**
 * The page with a worker whose one message, `window.earlyWork`, its scripts will need. Its text stands in the page: a file of
 * its own would arrive after the scripts.
 */
export function withEarlyWork(page, text) {
  if (text.includes("</script")) throw new Error("the worker's text would end its element");
  return page.replace("</head>", () => `<script type="text/plain" id="early-work">${text}</script></head>`);
}

/** The page with further scripts, after its others. */
export const withScripts = (page, files) =>
  page.replace("</head>", () => `${files.map((file) => fetched(`/${file}`)).join("")}</head>`);
