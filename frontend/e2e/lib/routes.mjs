/** The product's pages as src/app/routes.tsx declares them. scripts/coverage reads the same. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const table = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../src/app/routes.tsx");

/** @returns {{path: string, title: string, access: "public" | "login", open: boolean}[]} */
export function pageRoutes() {
  const source = readFileSync(table, "utf8");
  const rows = source
    .slice(source.indexOf("export const routes"))
    .split(/\bpath: /)
    .slice(1);
  return rows.map((row) => {
    const address = /^"([^"]+)"/.exec(row)?.[1];
    const title = /\btitle: "([^"]+)"/.exec(row)?.[1];
    const access = /\baccess: "(public|login)"/.exec(row)?.[1];
    if (!address || !title || !access)
      throw new Error(`a row of routes.tsx cannot be read: ${row.slice(0, 80)}`);
    return { path: address, title, access, open: /\bload: /.test(row) };
  });
}
