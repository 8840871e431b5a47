import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type Answer, answer } from "@/test/server";
import { allAnswered, frameAnswers, openSite } from "@/test/site";

const GIB = 1024 ** 3;

function open(storage: Answer) {
  answer({
    ...frameAnswers(),
    list: { datas: { totalCount: 0, results: [] } },
    card_list: { datas: { totalCount: 0, results: [] } },
    getPersonalStatisticsByUserId: {
      datas: {
        myModelFiles: { totalUploads: 1 },
        myModels: { totalModels: 4 },
        myServiceResults: { totalCounts: 0 },
      },
    },
    storage,
  });
  return openSite("/workbench", { signedIn: true });
}

async function usage(datas: { usedBytes: number; limitBytes: number; unlimited: boolean }) {
  const { store } = open({ datas });
  const section = within(await screen.findByRole("region", { name: "用量" }));
  const total = await section.findByText(/^\/ /);
  await allAnswered(store);
  return { section, total };
}

test("the storage and its limit are those that the server states, bought packages counted", async () => {
  const { section, total } = await usage({ usedBytes: 165 * GIB, limitBytes: 110 * GIB, unlimited: false });
  expect(total.parentElement).toHaveTextContent("165 GB/ 110 GB");
  expect(section.getByRole("meter", { name: "已用空间" })).toHaveAttribute("aria-valuenow", "100");
});

test("each count leads to what it counts; models are those of their page", async () => {
  const { section } = await usage({ usedBytes: 0, limitBytes: GIB, unlimited: false });
  const figures = section.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(figures).toEqual([
    ["上传的源文件1", "/workbench/myUpload"],
    ["我的模型0", "/workbench/myModel"],
    ["服务结果0", "/workbench/serviceResult"],
  ]);
});

test("without a limit there is no meter", async () => {
  const { section, total } = await usage({ usedBytes: 3 * GIB, limitBytes: 10 * GIB, unlimited: true });
  expect(total.parentElement).toHaveTextContent("3 GB/ 不限");
  expect(section.queryByRole("meter")).toBeNull();
});

test("a storage that cannot be read is not shown as empty", async () => {
  const { store } = open({ status: 500, code: 60500, message: "服务暂时不可用" });
  const section = within(await screen.findByRole("region", { name: "用量" }));
  expect(await section.findByText("1")).toBeInTheDocument();
  await allAnswered(store);
  expect(section.getByText("—")).toBeInTheDocument();
  expect(section.queryByRole("meter")).toBeNull();
});
