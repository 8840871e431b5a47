import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import HtmlWebpackPlugin from "html-webpack-plugin";

const root = path.dirname(fileURLToPath(import.meta.url));

/** `XUANLAN_ORIGIN` is the address of a running gateway, for `npm run dev` only. */
const gateway = process.env.XUANLAN_ORIGIN ?? "http://127.0.0.1:8080";

/**
 * @param {unknown} _env
 * @param {{ mode?: string }} argv
 * @returns {import("webpack").Configuration}
 */
export default function config(_env, argv) {
  const production = argv.mode === "production";
  /** @type {Record<string, string>} */
  const entry = { app: "./src/app/main.tsx" };
  const embed = "./src/embed/main.tsx";
  const hasEmbed = existsSync(path.join(root, embed));
  if (hasEmbed) entry.embed = embed;

  return {
    mode: production ? "production" : "development",
    context: root,
    entry,
    output: {
      path: path.join(root, "dist"),
      // Every file name carries its content's hash, so all but the HTML may be cached for ever.
      filename: production ? "assets/[name].[contenthash:12].js" : "assets/[name].js",
      chunkFilename: production ? "assets/[name].[contenthash:12].js" : "assets/[name].js",
      assetModuleFilename: "assets/[name].[contenthash:12][ext]",
      publicPath: "/",
      clean: true,
    },
    devtool: production ? false : "eval-cheap-module-source-map",
    resolve: {
      extensions: [".tsx", ".ts", ".mjs", ".js"],
      alias: { "@": path.join(root, "src") },
    },
    module: {
      rules: [
        {
          test: /\.[tj]sx?$/,
          include: path.join(root, "src"),
          // No module of ours is imported for its effect alone, so re-exports cost nothing.
          sideEffects: false,
          loader: "swc-loader",
          options: {
            jsc: {
              target: "es2022",
              parser: { syntax: "typescript", tsx: true },
              transform: { react: { runtime: "automatic", development: !production } },
            },
          },
        },
        { test: /\.(png|jpe?g|webp|svg|woff2|glb|hdr|ktx2|wasm)$/, type: "asset/resource" },
        { test: /\.css$/, type: "asset/resource" },
      ],
    },
    optimization: {
      splitChunks: {
        chunks: "all",
        cacheGroups: {
          react: {
            test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
            name: "react",
            priority: 20,
          },
        },
      },
      runtimeChunk: false,
    },
    performance: { hints: false },
    plugins: [
      new HtmlWebpackPlugin({
        template: "./src/app/index.html",
        chunks: ["app"],
        scriptLoading: "defer",
      }),
      ...(hasEmbed
        ? [
            new HtmlWebpackPlugin({
              template: "./src/app/index.html",
              filename: "embed.html",
              chunks: ["embed"],
              scriptLoading: "defer",
            }),
          ]
        : []),
    ],
    devServer: {
      historyApiFallback: true,
      hot: true,
      proxy: [
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
