/**
 * The scripts of a page start after its first drawing: the browser fetches them at once, but compiles them only when a small
 * script adds them. Compiling beside the first layout makes it take three times as long on two processors.
 */
import { createHash } from "node:crypto";

/** Runs in the page. A hidden page draws nothing, so it does not wait for that. */
const BOOT = `{
  let started = false;
  const start = () => {
    if (started) return;
    started = true;
    for (const { href } of document.querySelectorAll("link[rel=preload][as=script]")) {
      const script = document.createElement("script");
      script.src = href;
      script.async = false;
      document.head.append(script);
    }
  };
  if (document.hidden) start();
  else {
    requestAnimationFrame(() => setTimeout(start));
    setTimeout(start, 1000);
  }
}
`;

/** Name and text of the small script in the build. */
export const boot = {
  file: `assets/boot.${createHash("sha256").update(BOOT).digest("hex").slice(0, 12)}.js`,
  text: BOOT,
};

/** An address that `boot` adds as a script, in the order in which they stand in the page. */
const fetched = (address) => `<link rel="preload" as="script" href="${address}">`;

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

/** The page with further scripts, after its others. */
export const withScripts = (page, files) =>
  page.replace("</head>", () => `${files.map((file) => fetched(`/${file}`)).join("")}</head>`);
