import type { ComponentType } from "react";

/** A page of a module. */
export interface ModuleRoute {
  /** Below `/{module.id}`; empty: the module's first page. `:x` is a parameter. */
  path: string;
  title: string;
  /** Permission for the page; default: the module's. */
  permission?: string;
  /** Whether the rail lists it; pages of one object are reached from their list. */
  rail?: boolean;
  load: () => Promise<{ default: ComponentType }>;
}

/** An area's panel on the page of a user. */
export interface UserPanel {
  id: string;
  title: string;
  permission?: string;
  load: () => Promise<{ default: ComponentType<{ loginId: string }> }>;
}

/** An area's card on the first page: pending items or statistics. */
export interface OverviewCard {
  id: string;
  title: string;
  permission?: string;
  /** Width in columns, of four. */
  wide?: 1 | 2 | 4;
  load: () => Promise<{ default: ComponentType }>;
}

export interface SearchHit {
  title: string;
  detail?: string;
  to: string;
}

/** A search of an area for the command bar. */
export interface SearchSource {
  id: string;
  title: string;
  permission?: string;
  find: (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>;
}

/** The group of the rail that lists an area. */
export type RailGroup = "overview" | "people" | "content" | "business" | "system";

/**
 * An area of the console: `src/console/modules/<area>/index.ts` exports one by default; nothing else refers to it
 * (docs/console.md).
 */
export interface ConsoleModule {
  /** The folder's name, and the first part of its addresses. */
  id: string;
  title: string;
  group: RailGroup;
  /** Position within its group, ascending; default 100. */
  order?: number;
  /** Strokes of a 24 × 24 icon, as the `d` of a path. */
  icon: string;
  /** Without it the operator sees nothing of the area; undefined: all signed-in operators do. */
  permission: string | undefined;
  routes: readonly ModuleRoute[];
  userPanels?: readonly UserPanel[];
  overview?: readonly OverviewCard[];
  search?: readonly SearchSource[];
  /** Names of its calls (by id) and permissions, in the log and among the roles. */
  names?: Readonly<Record<string, string>>;
}

/** The address of a module's page, with the parameters of its path. */
export function addressOf(module: ConsoleModule, route: ModuleRoute): string {
  const start = module.id === "overview" ? "" : `/${module.id}`;
  return `${start}${route.path ? `/${route.path}` : ""}` || "/";
}

/** The permission for a part of a module: its own, or the module's. */
export const needs = (module: ConsoleModule, part: { permission?: string }): string | undefined =>
  part.permission ?? module.permission;
