import { modules } from "../generated/modules";
import { addressOf, type ConsoleModule, type ModuleRoute, needs, type RailGroup } from "../kit/contract";
import { type Operator, permits } from "../session/slice";

export const GROUPS: readonly { id: RailGroup; title?: string }[] = [
  { id: "overview" },
  { id: "people", title: "用户" },
  { id: "content", title: "内容与审核" },
  { id: "business", title: "经营" },
  { id: "system", title: "系统" },
];

export interface RailLink {
  to: string;
  title: string;
  icon: string;
}

export interface RailSection {
  id: RailGroup;
  title?: string;
  links: RailLink[];
}

/** The page of the operator's own account: everybody who is signed in has it, and the menu of their name leads to it. */
export const OWN = { to: "/own", title: "我的账号" } as const;

const byOrder = (a: ConsoleModule, b: ConsoleModule) =>
  (a.order ?? 100) - (b.order ?? 100) || a.id.localeCompare(b.id);

/** Every area, in the order of the rail. */
export const areas: readonly ConsoleModule[] = GROUPS.flatMap(({ id }) =>
  modules.filter(({ group }) => group === id).sort(byOrder),
);

/** Pages listed in the rail: by default a module's first page. */
const isInRail = (route: ModuleRoute) => route.rail ?? route.path === "";

/** The rail of an operator. */
export function railOf(operator: Operator, from: readonly ConsoleModule[] = areas): RailSection[] {
  return GROUPS.map(({ id, title }) => ({
    id,
    title,
    links: from
      .filter((module) => module.group === id)
      .flatMap((module) =>
        module.routes
          .filter((route) => isInRail(route) && permits(operator, needs(module, route)))
          .map((route) => ({ to: addressOf(module, route), title: route.title, icon: module.icon })),
      ),
  })).filter(({ links }) => links.length > 0);
}

/** Parts of all areas that an operator may see: panels, cards, searches. */
export function partsOf<Part extends { permission?: string }>(
  operator: Operator,
  pick: (module: ConsoleModule) => readonly Part[] | undefined,
  from: readonly ConsoleModule[] = areas,
): Part[] {
  return from.flatMap((module) =>
    (pick(module) ?? []).filter((part) => permits(operator, needs(module, part))),
  );
}
