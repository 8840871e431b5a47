import type { Manifest } from "./manifest";

/** Reports how long the page was visible, when it is hidden or left. */
export function countTime({ share, look }: Manifest): void {
  if (!look) return;
  let seen = 0;
  let since = document.hidden ? 0 : performance.now();
  let reported = 0;
  const pause = () => {
    if (since > 0) seen += performance.now() - since;
    since = 0;
    const seconds = Math.round(seen / 1000);
    if (seconds <= reported) return;
    reported = seconds;
    navigator.sendBeacon(
      `/e/${share}/look`,
      new Blob([new URLSearchParams({ look, seconds: String(seconds) }).toString()], { type: "text/plain" }),
    );
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) pause();
    else since = performance.now();
  });
  window.addEventListener("pagehide", pause);
}
