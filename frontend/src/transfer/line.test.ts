import { describe, expect, it, vi } from "vitest";
import { StorageError } from "./errors";
import { Line } from "./line";

const silent = () => Promise.reject(new StorageError("transient", "no answer"));
const signal = () => new AbortController().signal;

function setup(isOnline = () => true) {
  vi.useFakeTimers();
  const events = new EventTarget();
  const line = new Line({ events, isOnline, backoff: (attempt) => attempt * 1000 });
  return { line, events };
}

describe("the line", () => {
  it("carries at once while it is up, and passes a refusal on", async () => {
    const { line } = setup();
    expect(await line.carry(signal(), async () => "answer")).toBe("answer");
    const refused = new StorageError("refused", "no", 403);
    await expect(line.carry(signal(), () => Promise.reject(refused))).rejects.toBe(refused);
    expect(line.isDown()).toBe(false);
  });

  it("lets one request through at a time while broken, and all when one is answered", async () => {
    const { line } = setup();
    let broken = true;
    let asked = 0;
    const work = async () => {
      asked += 1;
      return broken ? silent() : "answer";
    };
    const answers = [1, 2, 3, 4].map(() => line.carry(signal(), work));
    await vi.advanceTimersByTimeAsync(0);
    expect(line.isDown()).toBe(true);
    expect(asked).toBe(4);
    await vi.advanceTimersByTimeAsync(1000 + 2000 + 3000);
    expect(asked).toBe(7);
    broken = false;
    await vi.advanceTimersByTimeAsync(4000);
    expect(await Promise.all(answers)).toEqual(["answer", "answer", "answer", "answer"]);
    expect(asked).toBe(11);
    expect(line.isDown()).toBe(false);
  });

  it("is told at once by the browser, and asks again as soon as the browser is online", async () => {
    const { line, events } = setup();
    events.dispatchEvent(new Event("offline"));
    expect(line.isDown()).toBe(true);
    let asked = 0;
    const answer = line.carry(signal(), async () => {
      asked += 1;
      return asked < 4 ? silent() : "answer";
    });
    await vi.advanceTimersByTimeAsync(1000 + 2000 + 3000);
    expect(asked).toBe(3);
    events.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toBe(4);
    expect(await answer).toBe("answer");
  });

  it("gives up after minutes where the browser is online; where it is not, it waits", async () => {
    let online = true;
    const { line } = setup(() => online);
    const lost = line.carry(signal(), silent).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await lost).toMatchObject({ fault: "unreachable" });
    online = false;
    let settled = false;
    void line.carry(signal(), silent).finally(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(settled).toBe(false);
  });

  it("a cancelled probe does not leave the others waiting", async () => {
    const { line, events } = setup();
    events.dispatchEvent(new Event("offline"));
    const cancelled = new AbortController();
    const probe = line.carry(
      cancelled.signal,
      () =>
        new Promise((_resolve, reject) => {
          cancelled.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        }),
    );
    const gone = expect(probe).rejects.toMatchObject({ name: "AbortError" });
    const other = line.carry(signal(), async () => "answer");
    await vi.advanceTimersByTimeAsync(1000);
    cancelled.abort();
    await gone;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await other).toBe("answer");
  });
});
