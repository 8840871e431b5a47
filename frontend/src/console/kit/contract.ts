import type { ComponentType } from "react";

/** A page of a module. */
export interface ModuleRoute {
  /** Below `/{module.id}`; empty: the module's first page. `:x` is a parameter. */
  path: string;
  title: string;
  /** What the page needs; default: what the module needs. */
  permission?: string;
  /** Whether the rail leads to it; pages of one thing are reached from their list. */
  rail?: boolean;
  load: () => Promise<{ default: ComponentType }>;
}

/** What an area knows about one user, on the page of that user. */
export interface UserPanel {
  id: string;
  title: string;
  permission?: string;
  load: () => Promise<{ default: ComponentType<{ loginId: string }> }>;
}

/** What waits in an area, or how it goes, on the first page. */
export interface OverviewCard {
  id: string;
  title: string;
  permission?: string;
  /** Columns of four that it takes. */
  wide?: 1 | 2 | 4;
  load: () => Promise<{ default: ComponentType }>;
}

export interface SearchHit {
  title: string;
  detail?: string;
  to: string;
}

/** What the command bar finds in an area. */
export interface SearchSource {
  id: string;
  title: string;
  permission?: string;
  find: (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>;
}

/** Where the rail lists an area. */
export type RailGroup = "overview" | "people" | "content" | "business" | "system";

/**
 * An area of the console: `src/console/modules/<area>/index.ts` exports one by default, and nothing else has to know of
 * it (docs/console.md).
 */
export interface ConsoleModule {
  /** The folder's name, and the first part of its addresses. */
  id: string;
  title: string;
  group: RailGroup;
  /** Within its group, small first; default 100. */
  order?: number;
  /** Strokes of a 24 × 24 icon, as the `d` of a path. */
  icon: string;
  /** Without it the operator sees nothing of the area; undefined: everybody who is signed in. */
  permission: string | undefined;
  routes: readonly ModuleRoute[];
  userPanels?: readonly UserPanel[];
  overview?: readonly OverviewCard[];
  search?: readonly SearchSource[];
  /** What its calls (by id) and permissions are called, in the log and among the roles. */
  names?: Readonly<Record<string, string>>;
}

/** The address of a module's page, with parameters as they stand in its path. */
export function addressOf(module: ConsoleModule, route: ModuleRoute): string {
  const start = module.id === "overview" ? "" : `/${module.id}`;
  return `${start}${route.path ? `/${route.path}` : ""}` || "/";
}

/** What somebody needs for a part of a module: its own permission, or the module's. */
export const needs = (module: ConsoleModule, part: { permission?: string }): string | undefined =>
  part.permission ?? module.permission;
