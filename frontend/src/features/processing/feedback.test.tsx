import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { findings } from "@/test/axe";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const failed = {
  resultId: "r1",
  fileId: "f1",
  serviceType: "lightweight",
  status: "failed",
  percent: 40,
  stage: "lighten",
  tips: "处理没有完成",
  params: "{}",
  modelName: "齿轮",
  fileName: "齿轮.glb",
  fileSize: 0,
  sourceSize: 1,
  format: "glb",
  createTime: 1_790_000_000_000,
  finishTime: null,
  report: null,
};
const ADDRESS = "/workbench/serviceResult/details?resultId=r1";

function serve(status = "failed") {
  let own = { stars: 0, content: "", createdAt: 0, updatedAt: 0 };
  return answer({
    ...frameAnswers(),
    service_detail: { datas: { ...failed, status } },
    get_progress: { datas: { status, percent: 40, stage: "lighten", tips: "" } },
    hasBeenSubmittedFeedback: () => ({ datas: own.stars > 0 }),
    userFeedback: () => ({ datas: own }),
    saveOrUpdateUserFeedback: ({ form }) => {
      const at = 1_790_000_000_000;
      own = { stars: Number(form.stars), content: form.content ?? "", createdAt: at, updatedAt: at };
      return {};
    },
  });
}

test("an ended result is judged with stars and words, shown, and judged anew (R16, R17)", async () => {
  const heard = serve();
  const { user } = openSite(ADDRESS, { signedIn: true });
  const form = await screen.findByRole("form", { name: "对这次处理的评价" });
  expect(within(form).getByRole("button", { name: "提交评价" })).toBeDisabled();
  expect(heard.some((call) => call.name === "userFeedback")).toBe(false);
  fireEvent.click(within(form).getByRole("radio", { name: "2 星" }));
  const words = within(form).getByLabelText("说说效果（选填）");
  fireEvent.change(words, { target: { value: "好".repeat(501) } });
  expect(within(form).getByText("最多 500 个字符，现在有 501 个")).toBeInTheDocument();
  expect(within(form).getByRole("button", { name: "提交评价" })).toBeDisabled();
  fireEvent.change(words, { target: { value: " 减到一半就失败 " } });
  expect(await findings(screen.getByRole("main"))).toEqual([]);
  await user.click(within(form).getByRole("button", { name: "提交评价" }));
  const change = await screen.findByRole("button", { name: "修改评价" });
  expect(screen.getByText("减到一半就失败")).toBeInTheDocument();
  expect(heard.find((call) => call.name === "saveOrUpdateUserFeedback")?.form).toMatchObject({
    resultId: "r1",
    stars: "2",
    content: "减到一半就失败",
  });
  await user.click(change);
  const again = await screen.findByRole("form", { name: "对这次处理的评价" });
  fireEvent.click(within(again).getByRole("radio", { name: "4 星" }));
  await user.click(within(again).getByRole("button", { name: "保存修改" }));
  await waitFor(() =>
    expect(screen.queryByRole("form", { name: "对这次处理的评价" })).not.toBeInTheDocument(),
  );
  expect(await screen.findByRole("img", { name: "4 星" })).toBeInTheDocument();
});

test("what is still made is not judged; what could not be read is read again", async () => {
  const heard = serve("running");
  openSite(ADDRESS, { signedIn: true });
  await screen.findByRole("heading", { name: "正在处理" });
  expect(screen.queryByText("这次处理怎么样")).not.toBeInTheDocument();
  expect(heard.some((call) => call.name === "hasBeenSubmittedFeedback")).toBe(false);
});

test("a judgement that could not be read is asked for again", async () => {
  let broken = true;
  serve();
  answer({
    ...frameAnswers(),
    service_detail: { datas: failed },
    hasBeenSubmittedFeedback: () => (broken ? "network error" : { datas: false }),
  });
  const { user } = openSite(ADDRESS, { signedIn: true });
  await screen.findByText("评价没有读取成功");
  broken = false;
  await user.click(screen.getByRole("button", { name: "重试" }));
  expect(await screen.findByRole("form", { name: "对这次处理的评价" })).toBeInTheDocument();
});
