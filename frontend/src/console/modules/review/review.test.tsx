import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open } from "../../test/console";
import { nextOf } from "./words";

const NOW = 1_790_000_000_000;
const one = (id: string, more: object = {}) => ({
  id,
  kind: "picture",
  state: "waiting",
  loginId: "u1",
  nickname: "木鱼",
  place: "",
  cause: "疑似二维码",
  createdAt: NOW,
  claimedBy: "",
  claimedUntil: 0,
  decidedBy: "",
  decidedAt: 0,
  decision: "",
  ...more,
});
const call = (name: string) => `/api-console/personal/review/${name}`;

it("the next case is the oldest after this one that nobody else has", () => {
  const items = [
    one("a", { createdAt: 1 }),
    one("b", { createdAt: 2 }),
    one("c", { createdAt: 3, claimedBy: "bert", claimedUntil: 99 }),
    one("d", { createdAt: 4, claimedBy: "linyi", claimedUntil: 99 }),
  ];
  const after = (id: string, now = 50) =>
    nextOf(
      items,
      items.find((item) => item.id === id),
      "linyi",
      now,
    )?.id;
  expect(after("a")).toBe("b");
  expect(after("b")).toBe("d");
  expect(after("b", 100)).toBe("c");
  expect(after("d")).toBe("a");
  expect(nextOf([], undefined, "linyi", 0)).toBeUndefined();
});

it("looks at a picture part by part, claims, bans look-alikes by keyboard, and goes on to the next", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:x");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const part = { contentType: "image/png", name: "p.png", size: 4 };
  const heard = answers({
    "session/me": me(ALL),
    [call("show")]: ({ id }) => ({
      datas:
        id === "a"
          ? { item: one("a"), text: "", earlier: [] }
          : {
              item: one("b", { kind: "text", place: "nickname" }),
              text: "<b>加微信</b>",
              earlier: [one("a")],
            },
    }),
    [call("picture")]: ({ offset }) => ({ datas: { ...part, data: "AAA=", nextOffset: offset ? 0 : 2 } }),
    [call("claim")]: { datas: one("a", { claimedBy: "linyi", claimedUntil: Date.now() + 900_000 }) },
    [call("decide")]: {},
    [call("list")]: { datas: { items: [one("a"), one("b")], next: "", waiting: 2 } },
  });
  const { user, router } = open("/review/a");
  await user.click(await screen.findByRole("button", { name: "查看待审图片" }));
  expect(await screen.findByRole("img", { name: "待审图片" })).toHaveAttribute("src", "blob:x");
  expect(heard.filter((asked) => asked.call === call("picture")).map(({ body }) => body.offset)).toEqual([
    0, 2,
  ]);
  await user.keyboard("{Alt>}c{/Alt}");
  expect(await screen.findByText(/由您审核至/)).toBeInTheDocument();
  expect(heard.filter((asked) => asked.call === call("show"))).toHaveLength(1);
  expect(await findings()).toEqual([]);

  await user.keyboard("{Alt>}r{/Alt}");
  const dialog = await screen.findByRole("dialog", { name: "驳回内容" });
  await user.click(within(dialog).getByLabelText(/相似的图片/));
  await user.click(within(dialog).getByRole("button", { name: "含广告" }));
  await user.click(within(dialog).getByRole("button", { name: "驳回" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/review/b"));
  expect(heard.find((asked) => asked.call === call("decide"))?.body).toEqual({
    id: "a",
    accept: false,
    ban: true,
    reason: "含广告",
  });
  expect(await screen.findByText("<b>加微信</b>")).toBeInTheDocument();
});

it("what somebody else has claimed is not decided, and who may not decide is offered nothing", async () => {
  const others = one("a", { claimedBy: "bert", claimedUntil: Date.now() + 60_000 });
  answers({ "session/me": me(ALL), [call("show")]: { datas: { item: others, text: "", earlier: [] } } });
  open("/review/a");
  expect(await screen.findByText(/bert 正在审核/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /通过|驳回|领取/ })).not.toBeInTheDocument();
});
