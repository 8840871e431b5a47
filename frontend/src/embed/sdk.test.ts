import { afterEach, expect, test, vi } from "vitest";
import { embed } from "../../sdk/index.js";

const URL_ = "https://embed.test/e/abc";

afterEach(() => document.body.replaceChildren());

function framed() {
  const holder = document.createElement("div");
  document.body.append(holder);
  const viewer = embed(holder, { url: URL_, title: "齿轮" });
  const sent: { message: Record<string, unknown>; to: string }[] = [];
  const inside = viewer.frame.contentWindow as Window;
  vi.spyOn(inside, "postMessage").mockImplementation(((message: Record<string, unknown>, to: string) =>
    sent.push({ message, to })) as never);
  const say = (data: unknown, origin = "https://embed.test", source: unknown = inside) =>
    window.dispatchEvent(new MessageEvent("message", { data, origin, source: source as Window }));
  return { viewer, sent, say };
}

test("calls wait until the frame listens, go to its origin alone, and are answered", async () => {
  const { viewer, sent, say } = framed();
  expect(viewer.frame.title).toBe("齿轮");
  const view = viewer.call("camera.get");
  const wrong = viewer.call("part.show", { name: "x", visible: false });
  expect(sent).toEqual([]);
  say({ xl: 1, event: "hello" }, "https://evil.test");
  say({ xl: 1, event: "hello" }, "https://embed.test", window);
  expect(sent).toEqual([]);
  say({ xl: 1, event: "hello" });
  expect(sent.map(({ message }) => message.call)).toEqual(["hello", "camera.get", "part.show"]);
  expect(sent.every(({ to }) => to === "https://embed.test")).toBe(true);
  say({ xl: 1, id: 1, ok: { position: [0, 0, 9], target: [0, 0, 0] } }, "https://evil.test");
  say({ xl: 1, id: 1, ok: { position: [1, 2, 3], target: [0, 0, 0] } });
  say({ xl: 1, id: 2, error: "name is not right" });
  await expect(view).resolves.toEqual({ position: [1, 2, 3], target: [0, 0, 0] });
  await expect(wrong).rejects.toThrow("name is not right");
});

test("events are told until they are not wanted; what waits when it is closed fails", async () => {
  const { viewer, say } = framed();
  const heard: string[] = [];
  const stop = viewer.on("ready", ({ name }) => heard.push(name));
  say({ xl: 1, event: "ready", data: { name: "齿轮" } });
  stop();
  say({ xl: 1, event: "ready", data: { name: "again" } });
  expect(heard).toEqual(["齿轮"]);
  const call = viewer.call("clips");
  viewer.remove();
  await expect(call).rejects.toThrow("closed");
  expect(document.querySelector("iframe")).toBeNull();
});
