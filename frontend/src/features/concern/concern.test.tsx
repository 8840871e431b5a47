import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const person = (id: number) => ({
  targetId: `p${id}`,
  nickName: `作者${id}`,
  avatar: null,
  introduce: "",
  following: true,
  followedBy: false,
  accountNumber: `10000000${10 + id}`,
  certified: id === 2 ? "enterprise" : "",
});

test("people are told apart by account and mark", async () => {
  const people = [
    { ...person(1), nickName: null },
    { ...person(2), nickName: null },
  ];
  answer({ ...frameAnswers(), list: { datas: { totalCount: 2, results: people } } });
  openSite("/workbench/account/myConcern", { signedIn: true });
  const [one, other] = await screen
    .findAllByRole("listitem")
    .then((items) => items.filter((item) => item.textContent?.includes("账号 1")));
  expect(one).toHaveTextContent("账号 1000000011");
  expect(one).not.toHaveTextContent("企业认证");
  expect(other).toHaveTextContent("企业认证");
  expect(screen.getAllByRole("link", { name: "玄览用户" })[1]).toHaveAttribute(
    "href",
    "/transaction/author?userId=p2&type=2",
  );
});

test("the last one of a page is followed no more, and the page before comes", async () => {
  let all = Array.from({ length: 11 }, (_, index) => person(index + 1));
  answer({
    ...frameAnswers(),
    list: ({ form }) => {
      const start = (Number(form.pageNo) - 1) * 10;
      return { datas: { totalCount: all.length, results: all.slice(start, start + 10) } };
    },
    unfollow: () => {
      all = all.slice(0, 10);
      return { datas: { totalCount: 0, results: [] } };
    },
  });
  const { user, at } = openSite("/workbench/account/myConcern?page=2", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "取消关注作者11" }));
  expect(await screen.findByRole("button", { name: "取消关注作者1" })).toBeInTheDocument();
  await waitFor(() => expect(at()).toBe("/workbench/account/myConcern"));
});
