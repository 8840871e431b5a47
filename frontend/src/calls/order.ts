import { orderApi } from "@/api/generated/order";

export * from "@/api/generated/order";

/** Not as it stands, for example for another price than was seen. */
export const REFUSED = 60105;

/** What a payment or a delivery changes: grade, balances, coupons, lists, and what one has of the mall. */
export const STALE_BY_ORDER = ["Me", "Account", "Cart", "Coupons", "Models", "Orders"] as const;

orderApi.enhanceEndpoints({
  endpoints: {
    // Asked every few seconds while a payment is awaited: a break of the network says nothing new.
    findByOrderId: { extraOptions: { silent: true } },
    // Its failure is shown by an alert of its own.
    createMemberOrder: { extraOptions: { silent: true, tellNote: true } },
    createRechargeOrder: { extraOptions: { tellNote: true } },
    createPackageOrder: { extraOptions: { tellNote: true } },
    createModelOrder: { extraOptions: { tellNote: true } },
    // The cart shows what it has been refused for, and reads itself anew.
    createCartOrder: { extraOptions: { tellNote: true, ownCodes: [REFUSED] } },
    // Shown where it is cancelled; one that ends by its time is not spoken of.
    cancelOrder: { extraOptions: { silent: true } },
  },
});

/** For calls outside components. */
export const orderEndpoints = orderApi.endpoints;
export const invalidateOrder = orderApi.util.invalidateTags;
