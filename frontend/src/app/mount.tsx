import { startTransition, useEffect } from "react";
import { RouterProvider } from "react-router";
import { getConfig } from "@/api/config";
import { AuthDialogHost } from "@/features/auth";
import { holdBack } from "@/lib/later";
import { turn } from "@/lib/turn";
import { syncSession } from "@/session/actions";
import { createStore } from "@/store";
import { bindStore } from "@/store/current";
import { isPrivatePath } from "./access";
import { Providers } from "./Providers";
import { rootIn } from "./root";
import { createAppRouter, preloadPageAt } from "./router";

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

/** Draws the application into the page. The configuration has been loaded. */
export const mount = (container: HTMLElement): Promise<void> =>
  // when it is mounted, it may have announced a picture, which comes first too
  holdBack(turn().then(() => draw(container)));

async function draw(container: HTMLElement): Promise<void> {
  const store = createStore({ isPrivatePath });
  bindStore(store);
  store.dispatch(syncSession());
  // Another tab may have signed in or out while this one was hidden.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") store.dispatch(syncSession());
  });
  await turn();
  const router = createAppRouter();
  await turn();
  await preloadPageAt(window.location.pathname);
  await turn();
  const root = rootIn(container);
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
