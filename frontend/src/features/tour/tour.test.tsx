import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { TOURS } from "./steps";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const workbench = () => ({
  ...frameAnswers(),
  getPersonalStatisticsByUserId: {
    datas: {
      myModelFiles: { totalUploads: 1 },
      myModels: { totalModels: 0 },
      myServiceResults: { totalCounts: 0 },
    },
  },
  list: { datas: { totalCount: 0, results: [] } },
  card_list: { datas: { totalCount: 0, results: [] } },
  updateTheGuidePageReadingStatus: {},
});

test("both tours have five steps (TR001, TR002)", () => {
  expect(TOURS.workbench).toHaveLength(5);
  expect(TOURS.personal).toHaveLength(5);
});

test("the workbench tour goes forward and back, and its end marks location 0 as read (TR001, TR003, TR004, TR005, TR006)", async () => {
  const heard = answer({ ...workbench(), getTheGuidePageReadingStatus: { datas: false } });
  const { user } = openSite("/workbench", { signedIn: true });
  expect(await screen.findByRole("heading", { name: "工作台导航" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: /^下一步/ }));
  expect(await screen.findByRole("heading", { name: "从这里开始" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "上一步" }));
  expect(await screen.findByRole("heading", { name: "工作台导航" })).toBeInTheDocument();
  for (const step of TOURS.workbench.slice(1)) {
    await user.click(screen.getByRole("button", { name: /^下一步/ }));
    expect(await screen.findByText(step.text)).toBeInTheDocument();
  }
  await user.click(screen.getByRole("button", { name: "知道了" }));
  await waitFor(() =>
    expect(heard.find((call) => call.name === "updateTheGuidePageReadingStatus")?.form.location).toBe("0"),
  );
  expect(screen.queryByText(TOURS.workbench[4]?.text ?? "")).toBeNull();
});

test("the personal centre's tour marks location 1, also when it is skipped (TR002, TR007)", async () => {
  const heard = answer({ ...workbench(), getTheGuidePageReadingStatus: { datas: false } });
  const { user } = openSite("/workbench/account/accoInforIndex", { signedIn: true });
  await screen.findByRole("heading", { name: "您的资料" });
  expect(screen.getByText("1 / 5")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "跳过" }));
  await waitFor(() =>
    expect(heard.find((call) => call.name === "updateTheGuidePageReadingStatus")?.form.location).toBe("1"),
  );
  expect(heard.find((call) => call.name === "getTheGuidePageReadingStatus")?.form.location).toBe("1");
});

test("a tour that was read does not come again (TR003)", async () => {
  const heard = answer(workbench());
  openSite("/workbench", { signedIn: true });
  await screen.findByText("还没有上传过模型");
  await waitFor(() => expect(heard.some((call) => call.name === "getTheGuidePageReadingStatus")).toBe(true));
  expect(screen.queryByRole("heading", { name: "工作台导航" })).toBeNull();
});

test("the card stands within what is seen of the page (TR001)", async () => {
  vi.stubGlobal("visualViewport", {
    ...{ offsetLeft: 500, offsetTop: 600, width: 375, height: 300 },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  // a target that is not drawn has its card in the middle
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 10, 10));
  answer({ ...workbench(), getTheGuidePageReadingStatus: { datas: false } });
  openSite("/workbench", { signedIn: true });
  await screen.findByRole("heading", { name: "工作台导航" });
  const place = () => screen.getByTestId("floater").style.transform;
  await waitFor(() => expect(place()).toBe("translate(512px, 612px)"), { timeout: 2000 });
});
