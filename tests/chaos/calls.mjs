/** Calls without retries, for the rolling restart: reads and writes of every service. */
import { pause, refusal } from "./gateways.mjs";

/** Calls that one user repeats: `[call, form]`. */
const CALLS = [
  ["P01", {}],
  ["P03", {}],
  ["X01", { pageNo: 1, pageSize: 5 }],
  ["P07", { location: 0 }],
  ["P14", {}],
  ["P15", { amount: 1000, orderType: 0, rechargePackageType: "rolling" }],
];

export async function rolling(nobody, { say, isEnding, register }) {
  const person = await register();
  const { phone: username, password } = person;
  const calls = [
    ...CALLS.map(([id, form]) => [person, id, form]),
    [nobody, "A01", { username }],
    [nobody, "A03", { username, password }],
  ];
  while (!isEnding()) {
    for (const [who, id, form] of calls) {
      if (isEnding()) return;
      const began = Date.now();
      try {
        const datas = await asked(who, id, form);
        say("answered", { call: id, ms: Date.now() - began });
        // The number of sessions is limited; the newest one ends the oldest.
        if (id === "A03") person.token = JSON.parse(datas).access_token;
        if (id === "P15") await asked(person, "P48", { orderId: datas.orderId });
      } catch (error) {
        say("failed", { call: id, ms: Date.now() - began, ...refusal(error) });
      }
      await pause(15);
    }
  }
}

/** A refused connection has transferred nothing: the next gateway is used, like a load balancer does. */
async function asked(person, id, form) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await person.call(id, form);
    } catch (error) {
      if (error?.cause?.code !== "ECONNREFUSED" || tries === 3) throw error;
    }
  }
}
