import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open } from "../../test/console";

const call = (name: string) => `/api-console/process/results/${name}`;

it("shows what people think of results, with the average of each service (K260, K261)", async () => {
  const heard = answers({
    "session/me": me(ALL),
    [call("averages")]: {
      datas: { averages: [{ serviceType: "convert", count: 3, stars: 13, distribution: [0, 0, 1, 0, 2] }] },
    },
    [call("feedback")]: {
      datas: {
        items: [
          {
            resultId: "r1",
            owner: "u1",
            serviceType: "convert",
            stars: 3,
            content: "单位不对",
            modelName: "齿轮",
            status: "done",
            createdAt: 1_790_000_000_000,
            updatedAt: 1_790_000_000_000,
          },
        ],
        next: "",
      },
    },
  });
  open("/results?stars=3&words=1");
  expect(await screen.findByText("单位不对")).toBeInTheDocument();
  expect(await screen.findByText("4.3")).toBeInTheDocument();
  expect(screen.getByText("各项服务的平均分与星级分布")).toBeInTheDocument();
  expect(screen.getByText("u1")).toHaveAttribute("href", "/users/u1");
  expect(heard.find((one) => one.call === call("feedback"))?.body).toMatchObject({
    stars: 3,
    withWords: true,
  });
  expect(await findings()).toEqual([]);
});
