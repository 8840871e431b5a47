import { loadConfig } from "@/api/config";
import { turn } from "@/lib/turn";
import { failureMessages } from "@/messages/failures";
import { readToken } from "@/session/cookies";
import { signedInCalls } from "@/session/signedInCalls";
import { mobileTarget } from "./mobileSite";

/**
 * The parts of the first load, from the bottom up. Each is evaluated in a task of its own: in one go they keep a phone from
 * answering for a quarter of a second.
 */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import(/* webpackMode: "eager" */ "@/theme/build"),
  () => import(/* webpackMode: "eager" */ "@/theme/light"),
  () => import(/* webpackMode: "eager" */ "./root"),
  () => import(/* webpackMode: "eager" */ "./Providers"),
  () => import(/* webpackMode: "eager", webpackExports: ["default"] */ "@mui/material/Button"),
  () => import(/* webpackMode: "eager" */ "@/session"),
  () => import(/* webpackMode: "eager" */ "@/features/header"),
  () => import(/* webpackMode: "eager" */ "./layouts"),
  () => import(/* webpackMode: "eager" */ "./router"),
  () => import(/* webpackMode: "eager" */ "./mount"),
];

async function evaluateParts(): Promise<void> {
  for (const part of PARTS) {
    await turn();
    await part();
  }
  await turn();
}

async function start(container: HTMLElement): Promise<void> {
  // The first calls of a signed-in session load in parallel with the configuration.
  if (readToken()) signedInCalls().catch(() => undefined);
  const [{ mobileUrl }] = await Promise.all([loadConfig(), evaluateParts()]);
  const phonePage = mobileTarget(mobileUrl, window.location, navigator.userAgent);
  if (phonePage) {
    window.location.replace(phonePage);
    return;
  }
  const { mount } = await import(/* webpackMode: "eager" */ "./mount");
  await mount(container);
}

/** Without its configuration no page can be drawn; plain elements load nothing else. */
function showStartFailure(container: HTMLElement, reason: unknown): void {
  const box = document.createElement("div");
  box.className = "boot";
  const inner = document.createElement("div");
  inner.style.textAlign = "center";
  const text = document.createElement("p");
  const detail =
    reason instanceof Error && reason.message.includes("配置") ? reason.message : failureMessages.network;
  text.textContent = `${failureMessages.configFailed}：${detail}`;
  const again = document.createElement("button");
  again.textContent = failureMessages.retry;
  again.addEventListener("click", () => window.location.reload());
  inner.append(text, again);
  box.append(inner);
  container.replaceChildren(box);
}

const container = document.getElementById("root");
if (container) start(container).catch((reason: unknown) => showStartFailure(container, reason));
