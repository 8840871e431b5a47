import base from "/work/main/frontend/vitest.config.ts";
import { BaseSequencer } from "/work/main/frontend/node_modules/vitest/dist/node.js";
const order = process.env.ORDER.split(",");
base.test.sequence = { sequencer: class extends BaseSequencer { async sort(f) { return f.sort((a,b)=> order.findIndex(o=>a.moduleId.includes(o)) - order.findIndex(o=>b.moduleId.includes(o))); } } };
base.test.maxWorkers = 1; base.test.testTimeout = 20000;
export default base;
