import type { ReactNode } from "react";
import { LazyPage } from "../LazyPage";
import type { LayoutName } from "../paths";
import type { Load } from "../routes";
import { DefaultLayout } from "./DefaultLayout";

/** Loads a layout with the first page that uses it; the public one is part of the first load. */
export const layoutLoaders: Partial<Record<LayoutName, Load>> = {
  company: () => import(/* webpackChunkName: "layout-company" */ "./CompanyLayout"),
  edit: () => import(/* webpackChunkName: "layout-edit" */ "./EditLayout"),
  operation: () => import(/* webpackChunkName: "layout-operation" */ "./OperationLayout"),
  personal: () => import(/* webpackChunkName: "layout-personal" */ "./PersonalLayout"),
  publish: () => import(/* webpackChunkName: "layout-publish" */ "./PublishLayout"),
  simple: () => import(/* webpackChunkName: "layout-simple" */ "./SimpleLayout"),
  simple2: () => import(/* webpackChunkName: "layout-simple2" */ "./Simple2Layout"),
  text3d: () => import(/* webpackChunkName: "layout-text3d" */ "./Text3dLayout"),
  workbench: () => import(/* webpackChunkName: "layout-workbench" */ "./WorkbenchLayout"),
};

/** One of the ten layouts, which renders the router's outlet. */
export function layoutElement(name: LayoutName): ReactNode {
  const load = layoutLoaders[name];
  return load ? <LazyPage key={name} load={load} /> : <DefaultLayout />;
}
