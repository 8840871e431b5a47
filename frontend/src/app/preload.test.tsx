import { screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { deferred } from "@/test/deferred";
import { renderPage, startStore } from "@/test/render";
import { LazyPage, preloadPage } from "./LazyPage";
import { Providers } from "./Providers";

const now = async () => undefined;

it("a page and its layout that arrived in time are part of the first drawing, and the page began to load its content", async () => {
  const ahead = vi.fn();
  const page = async () => ({ default: () => <p>页面</p>, ahead });
  const layout = async () => ({ default: () => <LazyPage load={page} /> });
  await preloadPage([page, layout], now, 1000);
  expect(ahead).toHaveBeenCalledExactlyOnceWith(new URL(window.location.href));
  renderPage(<LazyPage load={layout} />);
  expect(screen.getByText("页面")).toBeInTheDocument();
});

it("the first drawing does not wait for a late page", async () => {
  await preloadPage([() => new Promise<never>(() => undefined)], now, 0);
});

function Drawn({ then }: { then: () => void }) {
  useLayoutEffect(then, [then]);
  return null;
}

it("a page that arrives between its placeholder's drawing and its effect is shown", async () => {
  // without `act`, which leaves no time between the two
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  const arrived = deferred();
  const page = async () => {
    await arrived.promise;
    return { default: () => <p>页面</p> };
  };
  await preloadPage([page], now, 0);
  const place = document.createElement("div");
  const root = createRoot(place);
  root.render(
    <Providers store={startStore()}>
      <LazyPage load={page} />
      <Drawn then={arrived.resolve} />
    </Providers>,
  );
  await expect.poll(() => place.textContent).toBe("页面");
  root.unmount();
  vi.unstubAllGlobals();
});
