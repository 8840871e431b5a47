/** For pages without a bundler: `Xuanlan.embed(…)`. */
import { connect, embed } from "./index.js";

globalThis.Xuanlan = { embed, connect };
