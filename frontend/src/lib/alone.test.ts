import { expect, it } from "vitest";
import { deferred } from "@/test/deferred";
import { fakeLocks, giveLocks, noLocks } from "@/test/locks";
import { alone } from "./alone";

async function oneAfterTheOther() {
  const seen: string[] = [];
  const first = deferred();
  const works = Promise.allSettled([
    alone("a", async () => {
      seen.push("first begins");
      await first.promise;
      seen.push("first ends");
      throw new Error("it failed");
    }),
    alone("a", async () => seen.push("second")),
  ]);
  await alone("b", async () => seen.push("another name"));
  first.resolve();
  const [failed] = await works;
  expect(failed.status).toBe("rejected");
  return seen;
}

const ORDER = ["first begins", "another name", "first ends", "second"];

it("works of one name follow each other, also after a failure", async () => {
  noLocks();
  expect(await oneAfterTheOther()).toEqual(ORDER);
});

it("they do so across tabs where the browser has locks", async () => {
  const names = fakeLocks();
  expect(await oneAfterTheOther()).toEqual(ORDER);
  expect(names).toEqual(["a", "a", "b"]);
});

it("a page that gets no locks keeps the order by itself", async () => {
  giveLocks({ request: () => Promise.reject(new DOMException("no storage", "SecurityError")) });
  expect(await alone("a", async () => "done")).toBe("done");
});
