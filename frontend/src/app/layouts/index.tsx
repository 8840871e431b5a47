import type { ComponentType } from "react";
import { Outlet } from "react-router";
import type { LayoutName } from "../routes";

/** The frame of pages that have none of their own yet: the bare main landmark. */
function BareLayout() {
  return (
    <main id="main" tabIndex={-1}>
      <Outlet />
    </main>
  );
}

/**
 * The frames by name. Each renders `<Outlet />` inside ONE `<main id="main" tabIndex={-1}>`, which the
 * skip link and every change of page move the focus to.
 */
export const layouts: Record<LayoutName, ComponentType> = {
  company: BareLayout,
  default: BareLayout,
  edit: BareLayout,
  operation: BareLayout,
  personal: BareLayout,
  publish: BareLayout,
  simple: BareLayout,
  simple2: BareLayout,
  text3d: BareLayout,
  workbench: BareLayout,
};
