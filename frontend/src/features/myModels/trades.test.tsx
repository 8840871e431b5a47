import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { TransactionMyModel } from "@/calls/transaction";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const bought: TransactionMyModel = {
  modelId: "m1",
  modelName: "行星齿轮组",
  preview: "",
  way: "paid",
  price: 123_450,
  license: "commercial",
  state: "active",
  listingState: "listed",
  seller: "u9",
  version: 1,
  versions: [],
  gotAt: 1_790_000_000_000,
  firstDownloadAt: 0,
  downloads: 0,
  orderId: "o7",
  itemId: "i7",
  triangles: 7680,
  returnable: true,
};

test("each trade tells what was paid, its order and what may still be done", async () => {
  const heard = answer({
    ...frameAnswers(),
    list: {
      datas: {
        totalCount: 3,
        counts: { paid: 2, memberFree: 1 },
        results: [
          bought,
          {
            ...bought,
            modelId: "m2",
            modelName: "月球灯",
            way: "memberFree",
            price: 0,
            returnable: false,
            orderId: "",
          },
          {
            ...bought,
            modelId: "m3",
            modelName: "青瓷瓶",
            returnable: false,
            firstDownloadAt: 1_790_000_100_000,
          },
        ],
      },
    },
  });
  openSite("/workbench/transactionModel", { signedIn: true });
  const row = async (name: string) => within(await screen.findByRole("row", { name: new RegExp(name) }));
  const gear = await row("行星齿轮组");
  gear.getByText("1,234.50");
  gear.getByText("可退货");
  expect(gear.getByRole("link", { name: "查看订单 行星齿轮组" }).getAttribute("href")).toBe(
    "/workbench/myOrder?order=o7",
  );
  const lamp = await row("月球灯");
  lamp.getByText("会员次数");
  expect(lamp.queryByText("0.00"), "a count is no money").toBeNull();
  expect(lamp.queryByRole("link")).toBeNull();
  (await row("青瓷瓶")).getByText("已下载");
  const asked = heard.find((call) => call.path.endsWith("/myModel/list"));
  expect(asked?.form).toMatchObject({ userId: "u1", way: "bought" });
});
