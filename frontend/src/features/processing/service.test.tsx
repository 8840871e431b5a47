import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

test.each([
  ["/workbench/service?serviceName=convert", "格式转换"],
  ["/workbench/service?serviceName=lightweight", "单体轻量化"],
  ["/workbench/service?serviceName=tile", "三维瓦片"],
])("%s is free for a limited time, without a limit of uses (SV004, SV005, SV006)", async (address, title) => {
  answer(frameAnswers());
  openSite(address, { signedIn: true });
  const card = await screen.findByRole("radio", { name: new RegExp(title) });
  expect(card).toHaveAttribute("aria-checked", "true");
  const submit = within(screen.getByRole("complementary", { name: "提交" }));
  expect(submit.getByText("限时免费")).toBeInTheDocument();
  expect(submit.getByText("不限次数")).toBeInTheDocument();
});
