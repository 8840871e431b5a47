import { startTransition, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { getConfig, loadConfig } from "@/api/config";
import { AuthDialogHost } from "@/features/auth";
import { failureMessages } from "@/messages/failures";
import { syncSession } from "@/session/actions";
import { readToken } from "@/session/cookies";
import { signedInCalls } from "@/session/effects";
import { createStore } from "@/store";
import { bindStore } from "@/store/current";
import { isPrivatePath } from "./access";
import { mobileTarget } from "./mobileSite";
import { Providers } from "./Providers";
import { createAppRouter } from "./router";

/** Delay after the page was mounted before visits are tracked, in milliseconds. */
const VISITS_AFTER = 500;

type AppRouter = ReturnType<typeof createAppRouter>;

/** Tracks the visit once the page is mounted. */
function Visits({ router }: { router: AppRouter }) {
  useEffect(() => followVisits(router), [router]);
  return null;
}

function followVisits(router: AppRouter): void {
  if (!getConfig().analyticsHost) return;
  const onMove = (moved: () => void) => {
    let shown = router.state.location.key;
    router.subscribe(({ location, navigation }) => {
      if (navigation.state !== "idle" || location.key === shown) return;
      shown = location.key;
      moved();
    });
  };
  setTimeout(() => {
    import(/* webpackChunkName: "visits" */ "@/features/visits").then(
      ({ startVisits }) => startVisits(onMove),
      () => undefined,
    );
  }, VISITS_AFTER);
}

async function start(container: HTMLElement): Promise<void> {
  // The first calls of a signed-in session load in parallel with the configuration.
  if (readToken()) signedInCalls().catch(() => undefined);
  const { mobileUrl } = await loadConfig();
  const phonePage = mobileTarget(mobileUrl, window.location, navigator.userAgent);
  if (phonePage) {
    window.location.replace(phonePage);
    return;
  }
  const store = createStore({ isPrivatePath });
  bindStore(store);
  store.dispatch(syncSession());
  // Another tab may have signed in or out while this one was hidden.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") store.dispatch(syncSession());
  });
  const router = createAppRouter();
  const root = createRoot(container);
  // As a transition React renders in slices of some milliseconds and handles taps and scrolling in between.
  startTransition(() =>
    root.render(
      <Providers store={store}>
        <RouterProvider router={router} />
        <AuthDialogHost />
        <Visits router={router} />
      </Providers>,
    ),
  );
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
