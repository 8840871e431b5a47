/**
 * The direction of imports in src, for dependency-cruiser (`npm run lint`): a folder imports from the layers below its own, a feature is
 * entered through its index, and neither files nor features form a circle. Tests may import whatever they test.
 */

/** From the bottom up. Folders of one layer do not import each other, except those of a platform. */
const LAYERS = [
  // Generated from the server's own lists: figures that both sides state.
  ["facts"],
  ["messages"],
  ["lib"],
  // The register of pages is data; loaders and layouts (the rest of app) are at the top.
  ["theme", "app/paths"],
  ["ui"],
  ["viewer", "transfer"],
  // The platform: the store contains slices, the session calls the server, a call carries the session's token.
  ["api", "calls", "realtime", "session", "shop", "store"],
  ["features"],
  ["pages"],
  // The operators' console is a product of its own: a frame in which modules register their pages.
  ["console/api", "console/session"],
  ["console/kit"],
  ["console/modules"],
  // An entry of webpack each.
  ["app", "embed", "offline", "console"],
];
const PLATFORMS = ["api", "console/api"];
/** What the console shares with the site: nothing that knows the site's users or their session. */
const CONSOLE_SHARES = ["facts", "messages", "lib", "theme", "ui"];

const ALL = LAYERS.flat();
/** A folder's own files; those of a folder within it that has a layer of its own are left out. */
const folder = (name) => {
  const inner = ALL.filter((other) => other.startsWith(`${name}/`)).map((other) =>
    other.slice(name.length + 1),
  );
  return inner.length === 0 ? `^src/${name}/` : `^src/${name}/(?!(${inner.join("|")})/)`;
};
const folders = (names) => names.map(folder);

const layered = LAYERS.slice(0, -1).map((layer, rank) => ({
  name: `above-${layer[0]}`,
  comment: `${layer.join(", ")}: import from lower layers only.`,
  severity: "error",
  from: { path: folders(layer) },
  to: { path: folders(LAYERS.slice(rank + 1).flat()) },
}));

const beside = LAYERS.filter((layer) => layer.length > 1 && !PLATFORMS.includes(layer[0])).flatMap((layer) =>
  layer.map((name) => ({
    name: `beside-${name}`,
    comment: `Folders of one layer do not import each other: ${layer.join(", ")}.`,
    severity: "error",
    from: { path: folder(name) },
    to: { path: folders(layer.filter((other) => other !== name)) },
  })),
);

const INDEX = "^src/features/[^/]+/index[.]tsx?$";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-layer",
      comment: "A new folder needs a layer here.",
      severity: "error",
      from: { path: "^src/", pathNot: [...folders(ALL), "^src/[^/]+$"] },
      to: {},
    },
    ...layered,
    ...beside,
    {
      name: "feature-index",
      comment: "A feature is entered through its index.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/features/" },
      to: { path: folder("features"), pathNot: INDEX },
    },
    {
      name: "feature-index-of-another",
      comment: "A feature is entered through its index.",
      severity: "error",
      from: { path: "^src/features/([^/]+)/" },
      to: { path: folder("features"), pathNot: ["^src/features/$1/", INDEX] },
    },
    {
      name: "console-modules",
      comment: "Modules of the console do not import each other.",
      severity: "error",
      from: { path: "^src/console/modules/([^/]+)/" },
      to: { path: folder("console/modules"), pathNot: "^src/console/modules/$1/" },
    },
    {
      name: "console-shares",
      comment: `The console takes from the rest of src only ${CONSOLE_SHARES.join(", ")}.`,
      severity: "error",
      from: { path: "^src/console/" },
      to: { path: "^src/", pathNot: ["^src/console/", ...folders(CONSOLE_SHARES)] },
    },
    {
      name: "circle",
      comment: "Files that need each other at run time.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "circle-of-features",
      comment: "Features that need each other.",
      severity: "error",
      scope: "folder",
      from: { path: "^src/features/[^/]+$" },
      to: { circular: true, path: "^src/features/[^/]+$" },
    },
  ],
  options: {
    // TypeScript 7 has no interface for other programs yet.
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "[.]test[.]tsx?$|(^|/)test/" },
    webpackConfig: { fileName: "webpack.config.mjs", arguments: { mode: "production" } },
  },
};
