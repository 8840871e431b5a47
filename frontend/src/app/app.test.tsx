import { act, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, type RouteObject, RouterProvider } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { claimReload, loadChunk, RELOAD_EVERY_MS } from "@/lib/chunk";
import { clearLogin, writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { answer } from "@/test/server";
import { ErrorPage, NOT_FOUND_MESSAGE } from "./ErrorPage";
import { LazyPage } from "./LazyPage";
import { layoutNames, paths } from "./paths";
import { pagesOnDemand, routeTree } from "./router";
import { loaders, routes } from "./routes";

function open(tree: RouteObject[], at: string) {
  const router = createMemoryRouter(tree, { initialEntries: [at] });
  const page = renderPage(<RouterProvider router={router} />);
  return { ...page, router };
}

/** React and the router print errors that a test raises on purpose; keep the report readable. */
const quiet = () => vi.spyOn(console, "error").mockImplementation(() => undefined);

describe("routes", () => {
  it("have a loader where they are open, and nowhere else", () => {
    const open = paths.filter((page) => page.state === "open").map((page) => page.path);
    expect(Object.keys(loaders).sort()).toEqual([...open].sort());
    expect(routes.filter((route) => route.load).map((route) => route.path)).toEqual(open);
  });

  it("wear every layout (LY002)", () => {
    expect(new Set(routes.map((route) => route.layout))).toEqual(new Set(layoutNames));
  });

  it("need login where the specification says so (LY004 to LY011, AM065)", () => {
    for (const route of routes) {
      const guarded = /^\/(workbench|publishCenter|topology[/-](modelService|management)|message)(\/|$)/;
      const usual = route.path === "/pricePage" ? "asks" : "public";
      expect(route.access, route.path).toBe(guarded.test(route.path) ? "login" : usual);
    }
  });

  it("all have a Chinese title (ER017)", () => {
    for (const route of routes) expect(route.title, route.path).toMatch(/\p{Script=Han}/u);
  });
});

describe("checkAuth (LY012, AM067)", () => {
  afterEach(clearLogin);

  it.each([
    "/workbench/account/myCoupon",
    "/publishCenter",
    "/workbench/ai-tools/text3D",
    "/message",
    "/topology-management",
  ])("sends a visitor of %s to login and back", async (address) => {
    answer({});
    const { router } = open(routeTree(), `${address}?a=1`);
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    expect(router.state.location.search).toBe(`?returnURL=${encodeURIComponent(`${address}?a=1`)}`);
  });

  it("lets a signed-in user pass", async () => {
    answer({});
    writeLogin("tok-1", "u1");
    const { router } = open(routeTree(), "/topology-management");
    expect(await screen.findByText("该页面尚未开放")).toBeVisible();
    expect(router.state.location.pathname).toBe("/topology-management");
  });
});

describe("pages are added to the tree when they are asked for", () => {
  it("finds every page from every other, whatever its layout, and knows no others", async () => {
    quiet();
    answer({});
    const onDemand = pagesOnDemand("/siteMap");
    const router = createMemoryRouter(onDemand.routes, { initialEntries: ["/siteMap"], ...onDemand.options });
    const titleAt = async (address: string) => {
      await router.navigate(address);
      return (router.state.matches.at(-1)?.route.handle as { title: string } | undefined)?.title;
    };
    expect(await titleAt("/case")).toBe("案例中心");
    expect(await titleAt("/CASE/details/?a=1#b")).toBe("案例详情");
    expect(await titleAt("/transaction/search/齿轮")).toBe("搜索模型");
    expect(await titleAt("/rorateBall")).toBe("旋转球体");
    expect(await titleAt("/agreement")).toBe("会员服务协议");
    expect(await titleAt("/nothing")).toBe("页面不存在");
    expect(await titleAt("/siteMap")).toBe("网站地图");
    router.dispose();
  });
});

describe("a page that was taken away", () => {
  it("says so, is kept out of search engines, and is not loaded", async () => {
    quiet();
    answer({});
    const page = routes.find((route) => route.path === "/rorateBall");
    if (!page) throw new Error("no such page");
    const load = vi.fn();
    open(routeTree([{ ...page, state: "gone", load }]), page.path);
    expect(await screen.findByRole("heading", { name: "页面已下线" })).toBeVisible();
    expect(screen.getByText("410")).toBeVisible();
    expect(screen.getByRole("link", { name: "返回首页" })).toBeVisible();
    expect(document.querySelector('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    expect(load).not.toHaveBeenCalled();
  });
});

describe("the home page", () => {
  it.each(["/", "/index1", "/index2"])("has one title at %s", async (address) => {
    answer({});
    open(routeTree(), address);
    await waitFor(() => expect(document.title).toBe("玄览云 - 让每一个三维模型，轻盈抵达"));
  });
});

describe("error page", () => {
  it("says of an unknown address that it does not exist, and links home (ER009, ER010, ER013, AM062)", async () => {
    quiet();
    answer({});
    const { router } = open(routeTree(), "/nothing");
    expect(await screen.findByRole("heading", { name: "页面不存在" })).toBeVisible();
    expect(screen.getByRole("link", { name: "返回首页" })).toHaveAttribute("href", "/");
    const [error] = Object.values(router.state.errors ?? {});
    expect(error).toMatchObject({ status: 404, statusText: NOT_FOUND_MESSAGE, data: NOT_FOUND_MESSAGE });
    expect(NOT_FOUND_MESSAGE).toBe("This page could not be found");
  });

  const failing = (thrown: () => unknown): RouteObject[] => [
    {
      path: "/",
      loader: () => {
        throw thrown();
      },
      element: null,
      errorElement: <ErrorPage />,
      hydrateFallbackElement: <div />,
    },
  ];

  it("shows status and reason of a route's failure (ER011, ER012, ER014)", async () => {
    quiet();
    open(
      failing(() => new Response("没有权限查看该应用", { status: 403 })),
      "/",
    );
    expect(await screen.findByText("403")).toBeVisible();
    expect(screen.getByText("没有权限查看该应用")).toBeVisible();
    expect(screen.getByRole("link", { name: "返回首页" })).toHaveAttribute("href", "/");
  });

  it("is a 500 for a guard that throws (ER015)", async () => {
    quiet();
    open(
      failing(() => new Error("登录系统没有应答")),
      "/",
    );
    expect(await screen.findByText("500")).toBeVisible();
    expect(screen.getByText("登录系统没有应答")).toBeVisible();
  });
});

describe("chunk loading", () => {
  const broken = () => Promise.reject(new Error("Loading chunk 1 failed"));

  it("reloads once, then shows the error, then reloads again after a minute (CL002, CL003, CL004)", async () => {
    const reload = vi.fn();
    void loadChunk(broken, reload);
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await expect(loadChunk(broken, reload)).rejects.toThrow("页面加载失败，请检查网络后刷新");
    expect(reload).toHaveBeenCalledTimes(1);

    const stamp = Number(sessionStorage.getItem("xuanlan.chunkReload"));
    expect(RELOAD_EVERY_MS).toBe(60_000);
    expect(claimReload(stamp + 59_999)).toBe(false);
    expect(claimReload(stamp + 60_000)).toBe(true);
  });

  it("does not reload where it cannot remember it", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("full");
    });
    expect(claimReload()).toBe(false);
  });

  it("loads a page when it is opened, and tries anew when it is opened again (CL001)", async () => {
    quiet();
    sessionStorage.setItem("xuanlan.chunkReload", String(Date.now()));
    let up = false;
    const load = vi.fn(() =>
      up ? Promise.resolve({ default: () => <p>页面在此</p> }) : Promise.reject(new Error("chunk")),
    );
    const { router } = open(
      [
        { path: "/", element: <p>首页</p> },
        { path: "/page", element: <LazyPage load={load} />, errorElement: <ErrorPage /> },
      ],
      "/",
    );
    await screen.findByText("首页");
    expect(load).not.toHaveBeenCalled();
    await act(() => router.navigate("/page"));
    expect(await screen.findByText("页面加载失败，请检查网络后刷新")).toBeVisible();
    up = true;
    await act(() => router.navigate("/"));
    await act(() => router.navigate("/page"));
    expect(await screen.findByText("页面在此")).toBeVisible();
  });
});
