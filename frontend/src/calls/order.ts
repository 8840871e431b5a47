import { orderApi } from "@/api/generated/order";

export * from "@/api/generated/order";

/** Refused in its current form, for example because the price has changed. */
export const REFUSED = 60105;

/** Cache tags that a payment or a delivery changes: grade, balances, coupons, lists, and owned models. */
export const STALE_BY_ORDER = ["Me", "Account", "Cart", "Coupons", "Models", "Orders"] as const;

orderApi.enhanceEndpoints({
  endpoints: {
    // Polled every few seconds while a payment is awaited: a network failure is no news.
    findByOrderId: { extraOptions: { silent: true } },
    // Its failure is shown by its own alert.
    createMemberOrder: { extraOptions: { silent: true, tellNote: true } },
    createRechargeOrder: { extraOptions: { tellNote: true } },
    createPackageOrder: { extraOptions: { tellNote: true } },
    createModelOrder: { extraOptions: { tellNote: true } },
    // The cart shows the reason of a refusal, and reloads.
    createCartOrder: { extraOptions: { tellNote: true, ownCodes: [REFUSED] } },
    // Shown where the user cancels; an expired order needs no message.
    cancelOrder: { extraOptions: { silent: true } },
  },
});

/** For calls outside components. */
export const orderEndpoints = orderApi.endpoints;
export const invalidateOrder = orderApi.util.invalidateTags;
