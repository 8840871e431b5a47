import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const GIB = 1024 ** 3;

async function usage(storage: { usedBytes: number; limitBytes: number; unlimited: boolean }) {
  answer({
    ...frameAnswers(),
    list: { datas: { totalCount: 0, results: [] } },
    card_list: { datas: { totalCount: 0, results: [] } },
    getPersonalStatisticsByUserId: {
      datas: {
        myModelFiles: { totalUploads: 1 },
        myModels: { totalModels: 0 },
        myServiceResults: { totalCounts: 0 },
      },
    },
    storage: { datas: storage },
  });
  openSite("/workbench", { signedIn: true });
  const section = within(await screen.findByRole("region", { name: "用量" }));
  return { section, total: await section.findByText(/^\/ /) };
}

test("the storage and its limit are those that the server states, bought packages counted", async () => {
  const { section, total } = await usage({ usedBytes: 165 * GIB, limitBytes: 110 * GIB, unlimited: false });
  expect(total.parentElement).toHaveTextContent("165 GB/ 110 GB");
  expect(section.getByRole("meter", { name: "已用空间" })).toHaveAttribute("aria-valuenow", "100");
});

test("without a limit there is no meter", async () => {
  const { section, total } = await usage({ usedBytes: 3 * GIB, limitBytes: 10 * GIB, unlimited: true });
  expect(total.parentElement).toHaveTextContent("3 GB/ 不限");
  expect(section.queryByRole("meter")).toBeNull();
});
