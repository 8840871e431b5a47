import { render, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect } from "vitest";
import { Providers } from "@/app/Providers";
import { pagesOnDemand } from "@/app/router";
import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import type { AppStore } from "@/store";
import { startStore } from "./render";
import type { Answer } from "./server";
import { startUser, type UserOptions } from "./user";

/** The services' data of a signed-in user of the free edition. */
export const person = {
  avatar: null,
  nickName: "山水之间听雨人",
  accountNumber: "XL001",
  memberStatus: null as number | null,
  memberGradeName: null as string | null,
  memberRank: 0,
  expirationTime: null as number | null,
  checkStatus: 3,
  cloudCoin: 12345,
  incomeBalance: 6789,
  couponCount: 3,
  unPayOrderCount: 2,
  unReadMessageCount: 4,
};

/** Answers to the calls of every page's frame. */
export const frameAnswers = (changes: Partial<typeof person> = {}): Record<string, Answer> => ({
  friendlinkList: { datas: [] },
  queryMessageIsRead: { datas: { isreadAllMessage: true, isreadMessage: true } },
  avatarInformation: { datas: { ...person, ...changes } },
  queryInfo: { datas: { ...person, mobileNum: "138****8000", companyDetailInfo: null, ...changes } },
  accountInformation: {
    datas: {
      cloudCoin: person.cloudCoin,
      incomeBalance: person.incomeBalance,
      couponCount: 3,
      expiringCouponCount: 0,
    },
  },
  getTheGuidePageReadingStatus: { datas: true },
});

export interface SitePage {
  store: AppStore;
  user: UserEvent;
  /** Path, query and anchor of the router. */
  at: () => string;
}

/** The real route tree, in memory, at an address; as a visitor or as the person `u1`. */
export function openSite(
  address: string,
  options: { signedIn?: boolean; events?: UserOptions } = {},
): SitePage {
  if (options.signedIn) writeLogin("tok-1", "u1");
  const store = startStore();
  store.dispatch(syncSession());
  const onDemand = pagesOnDemand(address.split(/[?#]/, 1)[0] ?? "/");
  const router = createMemoryRouter(onDemand.routes, { initialEntries: [address], ...onDemand.options });
  render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return {
    store,
    user: startUser(options.events),
    at: () => {
      const { pathname, search, hash } = router.state.location;
      return `${pathname}${search}${hash}`;
    },
  };
}

/** Waits until all calls of the page so far are answered, and what they answered is drawn. */
export async function allAnswered(store: AppStore): Promise<void> {
  await waitFor(() => {
    const queries = Object.values(store.getState().api.queries);
    expect(queries.filter((query) => query?.status === "pending")).toEqual([]);
  });
  // The store tells its subscribers of answers in the next frame, all at once.
  let drawn = false;
  requestAnimationFrame(() => {
    drawn = true;
  });
  await waitFor(() => expect(drawn).toBe(true));
}
