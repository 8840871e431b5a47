import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = path.dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  resolve: { alias: { "@": path.join(root, "src") } },
  oxc: { jsx: { runtime: "automatic" } },
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "https://www.xuanlan.test/" } },
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.mjs"],
    // One browser window for all files of a worker: the pages' libraries are loaded once instead of 110 times. Own modules are
    // loaded anew for each file (fresh.ts), and leftovers of a file are cleaned up (setup.ts).
    isolate: false,
    setupFiles: ["src/test/fresh.ts", "src/test/setup.ts"],
    restoreMocks: true,
    // For a machine under load; a passing test takes no longer because of it.
    testTimeout: 240_000,
    maxWorkers: 2,
    reporters: ["default", path.join(root, "scripts/unfinished.mjs")],
  },
});
