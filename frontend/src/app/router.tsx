import Box from "@mui/material/Box";
import { createBrowserRouter, type LoaderFunction, type RouteObject } from "react-router";
import { checkAuth } from "./checkAuth";
import { ErrorPage, NOT_FOUND_MESSAGE } from "./ErrorPage";
import { LazyPage } from "./LazyPage";
import { layouts } from "./layouts";
import { PageFrame } from "./PageFrame";
import { type Access, type LayoutName, layoutNames } from "./paths";
import { type AppRoute, routes } from "./routes";

const notOpen = () => import(/* webpackChunkName: "not-open" */ "./NotOpenPage");

function refuse(): never {
  throw new Response(NOT_FOUND_MESSAGE, { status: 404, statusText: NOT_FOUND_MESSAGE });
}

const guards: Record<Access, LoaderFunction | undefined> = {
  public: undefined,
  login: checkAuth,
  operator: refuse,
};

function pageRoute(route: AppRoute): RouteObject {
  return {
    path: route.path,
    handle: { title: route.title },
    loader: guards[route.access],
    element: <LazyPage key={route.path} load={route.load ?? notOpen} />,
    errorElement: <ErrorPage />,
  };
}

function layoutRoute(name: LayoutName, extra: RouteObject[] = []): RouteObject {
  const Layout = layouts[name];
  return {
    id: `layout-${name}`,
    element: <Layout />,
    errorElement: <ErrorPage />,
    children: [...routes.filter((route) => route.layout === name).map(pageRoute), ...extra],
  };
}

/** Any address the product does not know. */
const notFound: RouteObject = {
  path: "*",
  handle: { title: "页面不存在" },
  loader: refuse,
  element: null,
  errorElement: <ErrorPage />,
};

/** The whole tree, apart from the router that runs it, so that tests may run it in memory. */
export function routeTree(): RouteObject[] {
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
      children: layoutNames.map((name) => layoutRoute(name, name === "default" ? [notFound] : [])),
    },
  ];
}

export function createAppRouter() {
  return createBrowserRouter(routeTree());
}
