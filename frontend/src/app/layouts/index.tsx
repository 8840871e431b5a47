import { type ComponentType, lazy, Suspense } from "react";
import { loadChunk } from "@/lib/chunk";
import { PageLoading } from "../LazyPage";
import type { LayoutName } from "../paths";
import { DefaultLayout } from "./DefaultLayout";

type LayoutModule = { default: ComponentType };

/** A layout that is loaded with the first page that uses it. */
function later(load: () => Promise<LayoutModule>): ComponentType {
  const Frame = lazy(() => loadChunk(load));
  // biome-ignore lint/correctness/noComponentHookFactories: created once per layout, at module level
  return function LazyLayout() {
    return (
      <Suspense fallback={<PageLoading />}>
        <Frame />
      </Suspense>
    );
  };
}

/** The ten layouts. The public one is part of the first load. Each renders the router's outlet. */
export const layouts: Record<LayoutName, ComponentType> = {
  default: DefaultLayout,
  company: later(() => import(/* webpackChunkName: "layout-company" */ "./CompanyLayout")),
  edit: later(() => import(/* webpackChunkName: "layout-edit" */ "./EditLayout")),
  operation: later(() => import(/* webpackChunkName: "layout-operation" */ "./OperationLayout")),
  personal: later(() => import(/* webpackChunkName: "layout-personal" */ "./PersonalLayout")),
  publish: later(() => import(/* webpackChunkName: "layout-publish" */ "./PublishLayout")),
  simple: later(() => import(/* webpackChunkName: "layout-simple" */ "./SimpleLayout")),
  simple2: later(() => import(/* webpackChunkName: "layout-simple2" */ "./Simple2Layout")),
  text3d: later(() => import(/* webpackChunkName: "layout-text3d" */ "./Text3dLayout")),
  workbench: later(() => import(/* webpackChunkName: "layout-workbench" */ "./WorkbenchLayout")),
};
