/** The product's pages as src/app/paths declares them, for the build and the journeys. scripts/coverage reads the same. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../src/app/paths");
/** `page("/path", "title")` or `soon(…)`, with what differs from the area's usual frame. */
const ROW = /\b(page|soon)\(\s*"([^"]+)",\s*"([^"]+)"(?:,\s*\{([^}]*)\})?/g;
const ACCESS = /\baccess: "(public|login|operator)"/;

/** @returns {{path: string, title: string, access: "public" | "login" | "operator", open: boolean}[]} */
export function pageRoutes() {
  return readdirSync(folder).flatMap((file) => {
    const source = readFileSync(path.join(folder, file), "utf8");
    const usual = /= area\(\{([^}]*)\}\)/.exec(source)?.[1];
    if (usual === undefined) return [];
    return [...source.matchAll(ROW)].map(([row, kind, address, title, own = ""]) => {
      const access = (ACCESS.exec(own) ?? ACCESS.exec(usual))?.[1];
      if (!access) throw new Error(`no access in ${file}: ${row}`);
      return { path: address, title, access, open: kind === "page" };
    });
  });
}
