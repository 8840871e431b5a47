import Box from "@mui/material/Box";
import {
  createBrowserRouter,
  type LoaderFunction,
  matchPath,
  type PatchRoutesOnNavigationFunction,
  type RouteObject,
} from "react-router";
import { callsReady } from "@/api/ready";
import { markAsked } from "@/lib/asked";
import { turn } from "@/lib/turn";
import { failureMessages } from "@/messages/failures";
import { checkAuth } from "./checkAuth";
import { ErrorPage, NOT_FOUND_MESSAGE } from "./ErrorPage";
import { LazyPage, preloadPage } from "./LazyPage";
import { layoutElement, layoutLoaders } from "./layouts";
import { PageFrame } from "./PageFrame";
import { HOME_PATHS, type LayoutName, layoutNames, type PagePath } from "./paths";
import { type AppRoute, routes } from "./routes";
import type { PageHandle } from "./routeTitle";

const notOpen = () => import(/* webpackChunkName: "not-open" */ "./notOpen/NotOpenPage");

function refuse(): never {
  throw new Response(NOT_FOUND_MESSAGE, { status: 404, statusText: NOT_FOUND_MESSAGE });
}

function refuseGone(): never {
  throw new Response(failureMessages.goneText, { status: 410 });
}

const guards: Record<PagePath["access"], LoaderFunction | undefined> = {
  public: undefined,
  asks: undefined,
  login: checkAuth,
};

function pageRoute(route: AppRoute): RouteObject {
  return {
    path: route.path,
    handle: { title: route.title, area: route.area } satisfies PageHandle,
    loader: route.state === "gone" ? refuseGone : guards[route.access],
    element: <LazyPage key={route.path} load={route.load ?? notOpen} />,
    errorElement: <ErrorPage />,
  };
}

const layoutId = (name: LayoutName) => `layout-${name}`;

function layoutRoute(name: LayoutName, pages: readonly AppRoute[]): RouteObject {
  const own = pages.filter((route) => route.layout === name).map(pageRoute);
  return {
    id: layoutId(name),
    element: layoutElement(name),
    errorElement: <ErrorPage />,
    children: name === "default" ? [...own, notFound] : own,
  };
}

/** Unknown addresses. */
const notFound: RouteObject = {
  path: "*",
  handle: { title: "页面不存在" },
  loader: refuse,
  element: null,
  errorElement: <ErrorPage />,
};

/** The route tree with the layouts and these pages, separate from the router so that tests can run it in memory. */
export function routeTree(pages: readonly AppRoute[] = routes): RouteObject[] {
  return [
    {
      element: <PageFrame />,
      errorElement: (
        <Box component="main" id="main">
          <ErrorPage />
        </Box>
      ),
      // While the first guard runs there is nothing to show yet.
      hydrateFallbackElement: <Box aria-busy="true" />,
      children: layoutNames.map((name) => layoutRoute(name, pages)),
    },
  ];
}

let byAddress: ReadonlyMap<string, AppRoute> | undefined;

/** The page at an address, matched like the router does. */
function pageAt(pathname: string): AppRoute | undefined {
  byAddress ??= new Map(routes.map((route) => [route.path.toLowerCase(), route]));
  const address = pathname.replace(/\/+$/, "").toLowerCase() || "/";
  return (
    byAddress.get(address) ??
    routes.find((route) => route.path.includes(":") && matchPath(route.path, pathname) !== null)
  );
}

/** Milliseconds that the first drawing waits for the page's script. */
const PATIENCE = 150;

/**
 * Evaluates the scripts of the page at an address and of its layout, if it has them and they arrive in time. The home page
 * makes no calls.
 */
export async function preloadPageAt(pathname: string): Promise<void> {
  const page = pageAt(pathname);
  if (!page?.load || page.state !== "open") return;
  const layout = layoutLoaders[page.layout];
  await preloadPage(
    layout ? [page.load, layout] : [page.load],
    HOME_PATHS.includes(pathname) ? turn : callsReady,
    PATIENCE,
  );
}

/**
 * Adds pages to the tree as they are requested: a router that knows them all from the start spends a fifth of a second
 * on a phone ranking 170 paths before the first page is drawn.
 */
export function pagesOnDemand(first: string) {
  const known = new Set<AppRoute>();
  const next = (pathname: string): AppRoute[] => {
    const page = pageAt(pathname);
    if (!page || known.has(page)) return [];
    known.add(page);
    return [page];
  };
  const patchRoutesOnNavigation: PatchRoutesOnNavigationFunction = ({ path, patch }) => {
    for (const page of next(path)) patch(layoutId(page.layout), [pageRoute(page)]);
  };
  return { routes: routeTree(next(first)), options: { patchRoutesOnNavigation } };
}

export function createAppRouter() {
  const onDemand = pagesOnDemand(window.location.pathname);
  const router = createBrowserRouter(onDemand.routes, onDemand.options);
  let { key } = router.state.location;
  router.subscribe(({ location, navigation }) => {
    // a page that is still loading was requested as well
    const next = (navigation.location ?? location).key;
    if (next !== key) markAsked();
    key = next;
  });
  return router;
}
