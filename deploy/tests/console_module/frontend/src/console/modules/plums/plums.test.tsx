import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answers, me, open } from "../../test/console";

const list = "/api-console/content/plums/list";

it("the rail leads to the area and its page asks its call (K990)", async () => {
  const heard = answers({ "session/me": me(["plum.read"]), [list]: { datas: { names: ["青梅"] } } });
  const { user, router } = open("/");
  await user.click(await screen.findByRole("link", { name: "梅子" }));
  expect(await screen.findByText("青梅")).toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/plums");
  expect(heard.filter(({ call }) => call === list)).toHaveLength(1);
});

it("whoever may not see it neither sees nor asks", async () => {
  const heard = answers({ "session/me": me(["user.read"]) });
  open("/plums");
  expect(await screen.findByText("没有查看这一页的权限")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "梅子" })).toBeNull();
  expect(heard.map(({ call }) => call)).not.toContain(list);
});
