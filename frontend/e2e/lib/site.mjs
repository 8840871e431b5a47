/** The product itself, started like a user does: one process on a fresh folder, stopped by a signal at the end. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");

/** For a debug build on a busy machine; the program limits its own shutdown to twenty seconds. */
const START_MS = 180_000;
const STOP_MS = 120_000;
const KEPT_LINES = 200;

/** The binary under test: XUANLAN_BIN, else what cargo built last in its debug profile. */
export function binary() {
  const built = path.join(process.env.CARGO_TARGET_DIR ?? path.join(projectRoot, "target"), "debug/xuanlan");
  const chosen = process.env.XUANLAN_BIN ?? built;
  if (!existsSync(chosen))
    throw new Error(`${chosen} is missing: cargo build -p xuanlan, or set XUANLAN_BIN`);
  return chosen;
}

/**
 * Starts a standalone on free ports and waits for its addresses.
 *
 * @param {{env?: Record<string, string>, demo?: boolean}} [options] further settings (`XUANLAN__…`)
 */
export async function startSite({ env = {}, demo = false } = {}) {
  if (process.env.XUANLAN_SITE) return standingSite();
  const frontend = path.join(projectRoot, "frontend/dist");
  if (!existsSync(path.join(frontend, "index.html"))) {
    throw new Error("frontend/dist is missing: npm run build");
  }
  const data = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-"));
  const arguments_ = ["run", "--port", "0", "--data", data, "--frontend", frontend];
  if (!demo) arguments_.push("--no-demo");
  const child = spawn(binary(), arguments_, {
    // A user waits a minute between two codes; the journeys need several to one number.
    // No journey uses the demo's listings, which cost time. The engine runs at normal priority: on a busy machine it would not
    // finish in time.
    env: {
      ...process.env,
      XUANLAN__AUTH__SMS__RESEND_SECONDS: "0",
      XUANLAN__STANDALONE__MALL: "false",
      XUANLAN__PROCESS__MOST_NICE: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = [];
  const keep = (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
  };
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  createInterface({ input: child.stderr }).on("line", keep);
  let addresses;
  try {
    addresses = await readAddresses(child, keep, ended);
  } catch (error) {
    child.kill("SIGKILL");
    await rm(data, { recursive: true, force: true });
    throw new Error(`${error.message}\n${lines.slice(-30).join("\n")}`);
  }
  const stop = async () => {
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    const end = await ended;
    clearTimeout(late);
    await rm(data, { recursive: true, force: true });
    if (end.code !== 0) {
      throw new Error(`the server ended with ${end.code ?? end.signal}\n${lines.slice(-30).join("\n")}`);
    }
  };
  return { ...addresses, data, pid: child.pid, log: () => lines.join("\n"), stop };
}

/** A site started elsewhere and stopped by its owner: XUANLAN_SITE and XUANLAN_SANDBOX are its addresses. */
function standingSite() {
  const sandbox = process.env.XUANLAN_SANDBOX;
  if (!sandbox) throw new Error("XUANLAN_SITE needs XUANLAN_SANDBOX beside it");
  const console = process.env.XUANLAN_CONSOLE;
  const embed = process.env.XUANLAN_EMBED;
  return { url: process.env.XUANLAN_SITE, sandbox, console, embed, log: () => "", stop: async () => {} };
}

function readAddresses(child, keep, ended) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the server did not start in time")), START_MS);
    const found = {};
    createInterface({ input: child.stdout }).on("line", (line) => {
      keep(line);
      found.url ??= /玄览云已启动.*：(http\S+)/.exec(line)?.[1];
      found.sandbox ??= /沙箱：(http\S+)/.exec(line)?.[1];
      found.console ??= /运营后台：(http[^\s（]+)/.exec(line)?.[1];
      found.embed ??= /分享与嵌入：(http\S+)/.exec(line)?.[1];
      // the last line of the start-up output
      if (!found.url || !found.sandbox || !line.startsWith("数据保存在")) return;
      clearTimeout(timer);
      const plain = (address) => address?.replace(/\/$/, "");
      resolve({
        url: plain(found.url),
        sandbox: plain(found.sandbox),
        console: plain(found.console),
        embed: plain(found.embed),
      });
    });
    ended.then(({ code, signal }) => {
      clearTimeout(timer);
      reject(new Error(`the server ended before it was ready (${code ?? signal})`));
    });
  });
}
