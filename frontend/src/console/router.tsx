import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { lazy, Suspense, useEffect } from "react";
import { createHashRouter, Link, type RouteObject, useRouteError } from "react-router";
import { loadChunk } from "@/lib/chunk";
import { failureMessages } from "@/messages/failures";
import { areas } from "./frame/areas";
import { Frame } from "./frame/Frame";
import { addressOf, type ConsoleModule, type ModuleRoute, needs } from "./kit/contract";
import { Nothing, RowsLoading } from "./kit/states";
import { useMay, useSession } from "./session/slice";

const SignInPage = lazy(() =>
  loadChunk(() => import(/* webpackChunkName: "console-sign-in" */ "./frame/SignInPage")),
);
const EnrolPage = lazy(() =>
  loadChunk(() => import(/* webpackChunkName: "console-enrol" */ "./frame/EnrolPage")),
);

const titleOf = (title: string) => `${title} - 玄览云运营后台`;

function useTitle(title: string) {
  useEffect(() => {
    document.title = titleOf(title);
  }, [title]);
}

/** The frame for a signed-in operator; otherwise the sign-in page at the same address, which is then opened. */
function Entry() {
  const { phase } = useSession();
  useEffect(() => {
    if (phase === "out") document.title = titleOf("登录");
  }, [phase]);
  if (phase === "asking") return <Box aria-busy="true" />;
  if (phase === "in") return <Frame />;
  return (
    <Suspense fallback={<Box aria-busy="true" />}>
      <SignInPage />
    </Suspense>
  );
}

function Enrol() {
  useTitle("开通账号");
  return (
    <Suspense fallback={<Box aria-busy="true" />}>
      <EnrolPage />
    </Suspense>
  );
}

/** A page that requires its permission; without it a notice is shown, and the server refuses the calls as well. */
function guarded(module: ConsoleModule, route: ModuleRoute) {
  const Page = lazy(() => loadChunk(route.load));
  // biome-ignore lint/correctness/noComponentHookFactories: created once per page, with the routes
  return function Guarded() {
    const may = useMay();
    useTitle(route.title);
    if (!may(needs(module, route)))
      return (
        <Box>
          <Box component="h1" sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600 }}>
            {route.title}
          </Box>
          <Nothing title="没有查看这一页的权限" hint="如确需查看，请联系管理员调整角色。" />
        </Box>
      );
    return (
      <Suspense fallback={<RowsLoading />}>
        <Page />
      </Suspense>
    );
  };
}

function pageRoutes(modules: readonly ConsoleModule[]): RouteObject[] {
  return modules.flatMap((module) =>
    module.routes.map((route) => {
      const Page = guarded(module, route);
      return { path: addressOf(module, route), element: <Page key={route.path} />, errorElement: <Broken /> };
    }),
  );
}

function NotFound() {
  useTitle(failureMessages.notFoundTitle);
  return (
    <Box>
      <Box component="h1" sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600 }}>
        {failureMessages.notFoundTitle}
      </Box>
      <Nothing title="没有这一页" hint="地址可能有误。" action={<Link to="/">回到总览</Link>} />
    </Box>
  );
}

function Broken() {
  const error = useRouteError();
  return (
    <Box role="alert">
      <Box component="h1" sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600 }}>
        {failureMessages.failedTitle}
      </Box>
      <Nothing
        title={
          error instanceof Error && error.name === "ChunkLoadError" ? error.message : failureMessages.unknown
        }
        action={
          <Button variant="outlined" onClick={() => window.location.reload()}>
            重新载入
          </Button>
        }
      />
    </Box>
  );
}

/** The console's routes, separate from the router so that tests can run them in memory. */
export function routeTree(modules: readonly ConsoleModule[] = areas): RouteObject[] {
  return [
    { path: "/enrol/:link", element: <Enrol />, errorElement: <Broken /> },
    {
      element: <Entry />,
      errorElement: <Broken />,
      children: [...pageRoutes(modules), { path: "*", element: <NotFound /> }],
    },
  ];
}

/** Addresses behind the hash: the listener serves one page, and the address reaches no server's log. */
export const createConsoleRouter = () => createHashRouter(routeTree());
