import type { Access } from "../../src/app/paths";

export function pageRoutes(): { path: string; title: string; access: Access; open: boolean }[];
