import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { puzzle, renderPage, solveSlider } from "@/test/render";
import { type Answer, answer, names } from "@/test/server";
import { CaptchaBar, CaptchaPanel } from "./CaptchaPanel";
import { scratchSolution, strokeLength, strokeTime, Track, thin } from "./track";
import { useCaptcha } from "./useCaptcha";

const passed = vi.fn();

function Form() {
  const captcha = useCaptcha();
  return (
    <div>
      <button type="button" onClick={() => captcha.demand(passed)}>
        go
      </button>
      <CaptchaBar captcha={captcha} />
      <CaptchaPanel captcha={captcha} />
    </div>
  );
}

const challengeOf = ({ form }: { form: Record<string, string> }): Answer =>
  puzzle(form.kind === "scratch" ? "scratch" : "slide");

/** Returns these codes from the verification call, one after the other. */
async function openWith(codes: (number | "network error")[], sliderChallenge = challengeOf) {
  passed.mockReset();
  const left = [...codes];
  const calls = answer({
    sliderChallenge,
    getAliyunAcs: () => {
      const code = left.shift() ?? 100;
      return code === "network error" ? code : { datas: code };
    },
  });
  const page = renderPage(<Form />);
  await page.user.click(screen.getByRole("button", { name: "go" }));
  return { ...page, calls };
}

/** One stroke of `ms` milliseconds; the events carry their own time stamps. */
function scratch(ms: number) {
  const cover = screen.getByTestId("scratch-cover");
  const at = (type: "pointerDown" | "pointerMove" | "pointerUp", x: number, time: number) => {
    const event = new MouseEvent(type.toLowerCase(), { bubbles: true, clientX: x, clientY: 60 });
    Object.defineProperty(event, "pointerId", { value: 1 });
    Object.defineProperty(event, "timeStamp", { value: time });
    fireEvent(cover, event);
  };
  at("pointerDown", 20, 1000);
  for (let i = 1; i <= 20; i += 1) at("pointerMove", 20 + i * 10, 1000 + (ms * i) / 20);
  at("pointerUp", 220, 1000 + ms);
}

const scratchOpen = () => screen.findByTestId("scratch-cover");

describe("slider", () => {
  it.each([100, 200])("passes on %i with the challenge as ticket (SL003, SL004, SL005)", async (code) => {
    const { user, calls } = await openWith([code]);
    await solveSlider(user);
    await waitFor(() => expect(passed).toHaveBeenCalledTimes(1));
    const sent = JSON.parse(calls.find((call) => call.name === "getAliyunAcs")?.form.nvcdata ?? "{}");
    expect(sent).toMatchObject({ x: 6 });
    expect(sent.track.length).toBeGreaterThanOrEqual(3);
    expect(passed).toHaveBeenCalledWith(sent.id);
    expect(screen.queryByRole("slider")).toBeNull();
  });

  it.each([
    [400, "没有对准，请再试一次"],
    [800, "验证次数较多，请稍后再试（最长1小时）"],
    [900, "这次验证已失效，请再试一次"],
  ])("demands the slider again on %i (SL006, SL007, SL008, AM012)", async (code, remark) => {
    const { user, calls } = await openWith([code]);
    await solveSlider(user);
    await waitFor(() => expect(names(calls).filter((name) => name === "sliderChallenge")).toHaveLength(2));
    expect(await screen.findByText(remark)).toBeVisible();
    expect(await screen.findByRole("slider")).toHaveAttribute("aria-valuenow", "0");
    expect(passed).not.toHaveBeenCalled();
    await solveSlider(user);
    await waitFor(() => expect(passed).toHaveBeenCalledTimes(1));
  });

  it("demands another check on 600 (SL009, AM012)", async () => {
    const { user, calls } = await openWith([600, 100]);
    await solveSlider(user);
    await scratchOpen();
    expect(screen.getByText("还需要再确认一次")).toBeVisible();
    expect(calls.filter((call) => call.name === "sliderChallenge").map((call) => call.form.kind)).toEqual([
      "slide",
      "scratch",
    ]);
    expect(passed).not.toHaveBeenCalled();
    scratch(1200);
    await user.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(passed).toHaveBeenCalledTimes(1));
    const sent = JSON.parse(calls.at(-1)?.form.nvcdata ?? "{}");
    expect(sent.strokes).toHaveLength(1);
    expect(sent.strokes[0][0]).toEqual([20, 60, 0]);
  });

  it("is moved by the pointer, and sends the way it went", async () => {
    const { calls } = await openWith([100]);
    const handle = await screen.findByRole("slider");
    const at = (type: string, x: number, time: number) => {
      const event = new MouseEvent(type, { bubbles: true, clientX: x, clientY: 0 });
      Object.defineProperty(event, "pointerId", { value: 1 });
      Object.defineProperty(event, "timeStamp", { value: time });
      fireEvent(handle, event);
    };
    at("pointerdown", 0, 1000);
    // The frame is 320 wide here and the handle 64: it travels 256 pixels, the piece 272.
    for (const [x, time] of [
      [32, 100],
      [96, 200],
      [128, 300],
    ] as const)
      at("pointermove", x, 1000 + time);
    at("pointerup", 128, 1320);
    await waitFor(() => expect(passed).toHaveBeenCalledTimes(1));
    const sent = JSON.parse(calls.find((call) => call.name === "getAliyunAcs")?.form.nvcdata ?? "{}");
    expect(sent.x).toBe(136);
    expect(sent.track.slice(0, 4)).toEqual([
      [0, 0, 0],
      [34, 0, 100],
      [102, 0, 200],
      [136, 0, 300],
    ]);
  });

  it("offers a question in words instead, for those who cannot see the picture", async () => {
    const { user, calls } = await openWith([400, 100], ({ form }) =>
      puzzle((form.kind ?? "slide") as "slide" | "question"),
    );
    await screen.findByRole("slider");
    await user.click(screen.getByRole("button", { name: "看不清？用文字题" }));
    const field = await screen.findByRole("textbox", { name: "十一加三等于多少？" });
    await user.type(field, "13{Enter}");
    expect(await screen.findByText("答案不对，请再试一次")).toBeVisible();
    await user.type(await screen.findByRole("textbox", { name: "十一加三等于多少？" }), "14{Enter}");
    await waitFor(() => expect(passed).toHaveBeenCalledTimes(1));
    const sent = JSON.parse(calls.at(-1)?.form.nvcdata ?? "{}");
    expect(sent).toEqual({ id: passed.mock.calls[0]?.[0], answer: "14" });
    const kinds = calls.filter((call) => call.name === "sliderChallenge").map((call) => call.form.kind);
    expect(kinds).toEqual(["slide", "question", "question"]);
  });

  it("can be left by Escape; whoever waited is not called", async () => {
    const { user } = await openWith([]);
    const handle = await screen.findByRole("slider");
    act(() => handle.focus());
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("slider")).toBeNull();
    expect(passed).not.toHaveBeenCalled();
  });
});

describe("messages of the check, each with a retry link (SL010 to SL014)", () => {
  async function retryGivesAFreshOne(calls: { name: string }[], again: () => Promise<unknown>) {
    const before = calls.filter((call) => call.name === "sliderChallenge").length;
    fireEvent.click(screen.getByRole("button", { name: "重新验证" }));
    await again();
    expect(calls.filter((call) => call.name === "sliderChallenge")).toHaveLength(before + 1);
  }

  it("not scratched", async () => {
    const { user, calls } = await openWith([600]);
    await solveSlider(user);
    await scratchOpen();
    await user.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText("盾牌还没有刮开，请刮开后再提交")).toBeVisible();
    await retryGivesAFreshOne(calls, scratchOpen);
    expect(names(calls).filter((name) => name === "getAliyunAcs")).toHaveLength(1);
  });

  it("too fast", async () => {
    const { user, calls } = await openWith([600]);
    await solveSlider(user);
    await scratchOpen();
    scratch(10);
    await user.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText("刮得太快了，请慢一点")).toBeVisible();
    await retryGivesAFreshOne(calls, scratchOpen);
  });

  it.each([
    [400, "盾牌还没有刮开，请刮开后再提交"],
    [600, "刮得太快了，请慢一点"],
  ])("what the server says of a shield: %i", async (code, message) => {
    const { user, calls } = await openWith([600, code]);
    await solveSlider(user);
    await scratchOpen();
    scratch(1200);
    await user.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText(message)).toBeVisible();
    await retryGivesAFreshOne(calls, scratchOpen);
  });

  it("timed out", async () => {
    let life = 300;
    const { calls } = await openWith([], () => {
      const answered = puzzle("slide", Date.now() + life);
      life = 120_000;
      return answered;
    });
    expect(await screen.findByText("验证已超时")).toBeVisible();
    await retryGivesAFreshOne(calls, () => screen.findByRole("slider"));
  });

  it("network error", async () => {
    const { user, calls } = await openWith(["network error"]);
    await solveSlider(user);
    expect(await screen.findByText("网络异常，验证没有完成")).toBeVisible();
    await retryGivesAFreshOne(calls, () => screen.findByRole("slider"));
  });
});

describe("track", () => {
  it("measures time and length over all strokes", () => {
    const strokes: [number, number, number][][] = [
      [
        [0, 0, 0],
        [30, 40, 100],
      ],
      [
        [0, 0, 300],
        [10, 0, 350],
      ],
    ];
    expect(strokeLength(strokes)).toBe(60);
    expect(strokeTime(strokes)).toBe(150);
  });

  it("stays below what the server takes, and keeps both ends", () => {
    const long = Array.from({ length: 5000 }, (_, i): [number, number, number] => [i % 320, i % 160, i * 16]);
    const kept = thin([long]);
    expect(kept[0]?.length).toBeLessThanOrEqual(902);
    expect(kept[0]?.at(-1)).toEqual(long.at(-1));
    expect(scratchSolution("x".repeat(36), [long]).length).toBeLessThan(16 * 1024);
  });

  it("leaves out repeated places", () => {
    const track = new Track();
    track.begin(0, 0, 100);
    track.add(0, 0, 103);
    track.add(5.4, 0.2, 110);
    expect(track.samples).toEqual([
      [0, 0, 0],
      [5, 0, 10],
    ]);
  });
});
