import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { order, shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";

const offer = { id: "storage-100", name: "100GB 存储包", price: 9900, months: 12, storageGb: 100 };
const own = {
  orderId: "o1",
  packageId: "storage-100",
  name: "100GB 存储包",
  storageGb: 100,
  startTime: Date.UTC(2026, 0, 2),
  expireTime: Date.UTC(2027, 0, 2),
  status: 1,
};

test("a package is ordered by its id, and paid", async () => {
  const bought = order({ orderId: "p1", functionModule: 2, orderType: 4, canUseCoupon: false });
  const heard = answer({
    ...shopAnswers(),
    list: { datas: [offer] },
    packageList: { datas: [own, { ...own, orderId: "o0", status: 0 }] },
    createPackageOrder: { datas: bought },
  });
  const { user, store } = openSite("/workbench/account/mySetMeal", { signedIn: true });
  await screen.findByRole("heading", { level: 1, name: "我的套餐" });
  const mine = within(await screen.findByRole("table", { name: "已购套餐" }));
  expect(mine.getByRole("row", { name: /100 GB.*2027-01-02.*生效中/ })).toBeInTheDocument();
  expect(mine.getByRole("row", { name: /已到期/ })).toBeInTheDocument();
  await user.click(await screen.findByRole("button", { name: "购买100GB 存储包" }));
  await waitFor(() => expect(store.getState().shop.payment.orderId).toBe("p1"));
  const asked = heard.find((call) => call.name === "createPackageOrder");
  expect(asked?.form).toMatchObject({ packageId: "storage-100" });
});

test("nothing on offer and nothing bought is said", async () => {
  answer({ ...shopAnswers(), list: { datas: [] }, packageList: { datas: [] } });
  openSite("/workbench/account/mySetMeal", { signedIn: true });
  await screen.findByText("暂时没有在售的套餐");
  await screen.findByText("还没有购买过套餐");
});
