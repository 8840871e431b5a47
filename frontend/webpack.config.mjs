import path from "node:path";
import { fileURLToPath } from "node:url";
import HtmlWebpackPlugin from "html-webpack-plugin";
import MinimizerPlugin from "minimizer-webpack-plugin";
import webpack from "webpack";
import { Apart } from "./scripts/apart.mjs";
import { Included } from "./scripts/included.mjs";
import { OfflinePage } from "./scripts/offlinePage.mjs";
import { PackedFiles } from "./scripts/packed.mjs";
import { ScriptBudget } from "./scripts/scriptBudget.mjs";
import { SitePages } from "./scripts/sitePages.mjs";

const root = path.dirname(fileURLToPath(import.meta.url));

/** `XUANLAN_ORIGIN` is the address of a running gateway, for `npm run dev` only. */
const gateway = process.env.XUANLAN_ORIGIN ?? "http://127.0.0.1:8080";

/**
 * @param {unknown} _env
 * @param {{ mode?: string }} argv
 * @returns {import("webpack").Configuration | import("webpack").Configuration[]}
 */
export default function config(_env, argv) {
  const production = argv.mode === "production";
  return production ? [site(true), operators(true), shared(), offline()] : [site(false), operators(false)];
}

/** Compiler rules for src. */
const compiled = (production) => ({
  test: /\.[tj]sx?$/,
  include: path.join(root, "src"),
  // Except for `EXCEPTIONS` none of our modules is imported for its side effects, so re-exports cost nothing.
  sideEffects: false,
  loader: "swc-loader",
  options: {
    jsc: {
      target: "es2022",
      parser: { syntax: "typescript", tsx: true },
      transform: { react: { runtime: "automatic", development: !production } },
    },
  },
});

/** Calls whose modules have side effects: a page that imports a hook through one of these files needs them too. */
const EXCEPTIONS = /[\\/]src[\\/](calls[\\/]\w+|console[\\/]modules[\\/]\w+[\\/]calls)\.ts$/;

const extensions = [".tsx", ".ts", ".mjs", ".js"];

/** swc minifies in a fraction of the time of webpack's default, terser, and to the same size. */
const minimizer = [new MinimizerPlugin({ minify: MinimizerPlugin.swcMinify })];

/** The page of offline packages, one file with its script inside; crates/offline-viewer embeds it into the engine. */
function offline() {
  const script = "viewer.js";
  return {
    name: "offline",
    mode: "production",
    context: root,
    target: ["web", "es2022"],
    entry: "./src/offline/main.ts",
    output: {
      path: path.join(root, "dist-offline"),
      filename: script,
      iife: true,
      clean: { keep: ".gitignore" },
    },
    devtool: false,
    resolve: { extensions, alias: { "@": path.join(root, "src") } },
    module: { rules: [compiled(true)] },
    optimization: { minimizer, splitChunks: false, runtimeChunk: false },
    performance: { hints: false },
    plugins: [new OfflinePage({ template: path.join(root, "src/offline/index.html"), script })],
  };
}

/**
 * The pages of the site's origin: each entry has its own script and HTML, and shares the vendor chunks with the others.
 * A further entry is one more line here.
 */
const ENTRIES = [{ name: "app", script: "./src/app/main.tsx", html: "index.html" }];

/** The page of the operators' own origin. */
const CONSOLE = {
  name: "console",
  script: "./src/console/main.tsx",
  html: "console.html",
  folder: "console",
};

/** What the console loads before the operator has signed in, compressed with Brotli. */
const CONSOLE_BUDGET = { entry: "console", chunks: ["console-sign-in"], maxBytes: 190_000 };

/**
 * What an untouched home page may load, compressed with Brotli as browsers receive it (scripts/packed.mjs). The hashes in its
 * files' names alone make it differ by some 60 bytes from build to build.
 */
const HOME_BUDGET = { entry: "app", chunks: ["home", "home-below"], maxBytes: 173_600 };

/**
 * A hint to the browser to compile the first scripts as they arrive, beside the page, instead of function by function while
 * they run. After the minimizer, which removes comments.
 */
const COMPILED_EARLY = {
  banner: "//# allFunctionsCalledOnLoad",
  raw: true,
  entryOnly: true,
  test: /[.]js$/,
  stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
};

/**
 * Settings shared by the bundles of pages.
 *
 * @param {boolean} production
 * @param {string} folder of the scripts, below `dist`
 */
const pages = (production, folder) => ({
  mode: production ? "production" : "development",
  context: root,
  // Same as for src: a browser that runs one runs the other.
  target: ["web", "es2022"],
  output: {
    path: path.join(root, "dist"),
    // Every file name contains its content's hash, so all but the HTML may be cached forever.
    filename: production ? `${folder}/[name].[contenthash:12].js` : `${folder}/[name].js`,
    chunkFilename: production ? `${folder}/[name].[contenthash:12].js` : `${folder}/[name].js`,
    assetModuleFilename: `${folder}/[name].[contenthash:12][ext]`,
    publicPath: "/",
  },
  devtool: production ? false : "eval-cheap-module-source-map",
  resolve: {
    extensions,
    alias: {
      "@": path.join(root, "src"),
      "@emotion/use-insertion-effect-with-fallbacks": path.join(root, "src/theme/insertion.ts"),
      [path.join(root, "node_modules/@mui/material/styles/defaultTheme.mjs")]: path.join(
        root,
        "src/theme/default.ts",
      ),
    },
  },
  module: {
    rules: [
      compiled(production),
      { test: EXCEPTIONS, sideEffects: true },
      { test: /\.(png|jpe?g|webp|svg|woff2|glb|hdr|ktx2|wasm)$/, type: "asset/resource" },
      { test: /\.css$/, type: "asset/resource" },
    ],
  },
  performance: { hints: false },
});

/** @param {boolean} production */
function site(production) {
  const shared = pages(production, "assets");
  return {
    ...shared,
    name: "site",
    entry: Object.fromEntries(ENTRIES.map(({ name, script }) => [name, script])),
    output: { ...shared.output, clean: { keep: /^(console([./]|$)|embed(\/|$))/ } },
    optimization: {
      minimizer,
      splitChunks: {
        chunks: "all",
        cacheGroups: {
          react: {
            test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
            name: "react",
            priority: 20,
          },
          // One file instead of several: they compress better together.
          base: {
            test: /[\\/]node_modules[\\/]/,
            chunks: (chunk) => chunk.name === "app",
            name: "base",
            priority: 10,
            enforce: true,
          },
          // One file for what the first call needs.
          prepare: {
            test: /[\\/]node_modules[\\/]@noble[\\/]/,
            chunks: "async",
            name: "ciphers",
            priority: 10,
            enforce: true,
          },
          default: { chunks: "async", minChunks: 2, reuseExistingChunk: true },
        },
      },
      runtimeChunk: false,
    },
    plugins: [
      ...(production
        ? [
            new ScriptBudget(HOME_BUDGET),
            new webpack.BannerPlugin(COMPILED_EARLY),
            new SitePages({ shell: "index.html" }),
            new Apart(["src/console"]),
            new Included(EXCEPTIONS),
            new PackedFiles(),
          ]
        : []),
      ...ENTRIES.map(
        ({ name, html }) =>
          new HtmlWebpackPlugin({
            template: "./src/app/index.html",
            filename: html,
            chunks: [name],
            scriptLoading: "defer",
          }),
      ),
    ],
    devServer: {
      historyApiFallback: { rewrites: [{ from: /^\/console(\.html)?$/, to: "/console.html" }] },
      hot: true,
      proxy: [
        {
          context: (pathname) => pathname.startsWith("/api-console"),
          target: process.env.XUANLAN_CONSOLE ?? gateway,
        },
        {
          context: (pathname) =>
            /^\/(api-|config\.json|ws|objects|healthz|readyz|openapi\.json|sandbox)/.test(pathname),
          target: gateway,
          ws: true,
        },
      ],
    },
  };
}

/** What the page of a share loads before a visitor opens the model, and the script that pages on other sites use. */
const SHARED_BUDGETS = [
  { entry: "page", chunks: [], maxBytes: 4_000 },
  { entry: "v1", chunks: [], maxBytes: 1_000 },
];

/**
 * The page of a share, which the gateway fills in and serves at an origin of its own with the files below `embed/`. The script
 * for other sites has a fixed address; all other names contain their content's hash.
 */
function shared() {
  const folder = "embed";
  const common = pages(true, folder);
  const hashed = common.output.filename;
  return {
    ...common,
    name: folder,
    entry: { page: "./src/embed/main.ts", v1: "./sdk/global.js" },
    output: {
      ...common.output,
      filename: ({ chunk }) => (chunk.name === "v1" ? `${folder}/v1.js` : hashed),
      chunkLoadingGlobal: "xuanlanEmbed",
      clean: { keep: (file) => !file.startsWith(`${folder}/`) },
    },
    optimization: { minimizer, splitChunks: { chunks: "async" }, runtimeChunk: false },
    plugins: [
      ...SHARED_BUDGETS.map((budget) => new ScriptBudget(budget)),
      new Apart([
        "node_modules/react",
        "node_modules/react-dom",
        "node_modules/@mui",
        "src/session",
        "src/api",
      ]),
      new PackedFiles(),
      new HtmlWebpackPlugin({
        template: "./src/embed/index.html",
        filename: `${folder}/page.html`,
        chunks: ["page"],
        scriptLoading: "defer",
        minify: false,
      }),
    ],
  };
}

/**
 * The operators' console, compiled separately from the site: it has an origin of its own, whose listener serves only
 * `console.html` and the files below `console/`, so neither may need a file of the other.
 *
 * @param {boolean} production
 */
function operators(production) {
  const shared = pages(production, CONSOLE.folder);
  return {
    ...shared,
    name: "console",
    entry: { [CONSOLE.name]: CONSOLE.script },
    output: {
      ...shared.output,
      // Beside the site's bundle in one folder without loading its chunks.
      chunkLoadingGlobal: "xuanlanConsole",
      clean: { keep: (file) => !file.startsWith(`${CONSOLE.folder}/`) },
    },
    optimization: { minimizer, splitChunks: { chunks: "all" }, runtimeChunk: false },
    plugins: [
      ...(production
        ? [
            new ScriptBudget(CONSOLE_BUDGET),
            new Apart(["src/app", "src/pages", "src/features", "src/session", "src/api"]),
            new Included(EXCEPTIONS),
            new PackedFiles(),
          ]
        : []),
      new HtmlWebpackPlugin({
        template: "./src/console/index.html",
        filename: CONSOLE.html,
        chunks: [CONSOLE.name],
        scriptLoading: "defer",
      }),
    ],
  };
}
