import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { createHashRouter, Link, type RouteObject } from "react-router";
import { failureMessages } from "@/messages/failures";
import { areas, OWN } from "./frame/areas";
import { EntryPage } from "./frame/EntryPage";
import { Frame } from "./frame/Frame";
import { addressOf, type ConsoleModule, type ModuleRoute, needs } from "./kit/contract";
import { Late } from "./kit/Late";
import { OnePageContext } from "./kit/onePage";
import { Failed, Nothing, RowsLoading } from "./kit/states";
import { useTitle } from "./kit/title";
import { refreshOperator, resume, useConsoleDispatch } from "./session/calls";
import { useMay, useSession } from "./session/slice";

const signInPage = () => import(/* webpackChunkName: "console-sign-in" */ "./frame/SignInPage");
const ownPage = () => import(/* webpackChunkName: "console-own" */ "./frame/own/OwnPage");
const enrolPage = () => import(/* webpackChunkName: "console-enrol" */ "./frame/EnrolPage");

/** The frame for a signed-in operator; otherwise the sign-in page at the same address, which is then opened. */
function Entry() {
  const { phase, problem } = useSession();
  const dispatch = useConsoleDispatch();
  useTitle(phase === "out" ? "登录" : undefined);
  if (phase === "asking") return <Box aria-busy="true" />;
  if (phase === "in") return <Frame />;
  if (phase === "failed")
    return (
      <EntryPage title="暂时无法继续" note="您的登录没有结束，恢复后可以继续。">
        <Failed what="登录状态" error={{ message: problem }} onRetry={() => dispatch(resume())} />
      </EntryPage>
    );
  return <Late load={signInPage} props={{}} what="登录页" waiting={<Box aria-busy="true" />} />;
}

function Enrol() {
  useTitle("开通账号");
  return <Late load={enrolPage} props={{}} what="开通页" waiting={<Box aria-busy="true" />} />;
}

function Own() {
  useTitle(OWN.title);
  return <Late load={ownPage} props={{}} isPage what={OWN.title} waiting={<RowsLoading />} />;
}

/** The heading of a page that has no content of its own. */
function Heading({ children }: { children: ReactNode }) {
  return (
    <Box component="h1" sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600 }}>
      {children}
    </Box>
  );
}

/** A page that requires its permission; without it a notice is shown, and the server refuses the calls as well. */
function guarded(module: ConsoleModule, route: ModuleRoute) {
  const above = route.path.split("/").slice(0, -1).join("/");
  const list = module.routes.find(({ path }) => path === above) ?? module.routes[0];
  const one =
    route.path.includes(":") && list
      ? { title: route.title, back: { to: addressOf(module, list), text: list.title } }
      : undefined;
  // biome-ignore lint/correctness/noComponentHookFactories: created once per page, with the routes
  return function Guarded() {
    const may = useMay();
    const dispatch = useConsoleDispatch();
    useTitle(route.title);
    if (!may(needs(module, route)))
      return (
        <Box>
          <Heading>{route.title}</Heading>
          <Nothing
            title="没有查看这一页的权限"
            hint="如确需查看，请联系管理员调整角色。"
            action={
              <Button size="small" variant="outlined" onClick={() => dispatch(refreshOperator())}>
                角色已调整，重新检查
              </Button>
            }
          />
        </Box>
      );
    return (
      <OnePageContext value={one}>
        <Late load={route.load} props={{}} isPage what={route.title} waiting={<RowsLoading />} />
      </OnePageContext>
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
      <Heading>{failureMessages.notFoundTitle}</Heading>
      <Nothing title="没有这一页" hint="地址可能有误。" action={<Link to="/">回到总览</Link>} />
    </Box>
  );
}

function Broken() {
  return (
    <Box role="alert">
      <Heading>{failureMessages.failedTitle}</Heading>
      <Nothing
        title={failureMessages.unknown}
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
      children: [
        ...pageRoutes(modules),
        { path: OWN.to, element: <Own />, errorElement: <Broken /> },
        { path: "*", element: <NotFound /> },
      ],
    },
  ];
}

/** Addresses behind the hash: the listener serves one page, and the address reaches no server's log. */
export const createConsoleRouter = () => createHashRouter(routeTree());
