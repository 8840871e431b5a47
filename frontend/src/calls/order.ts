import { orderApi } from "@/api/generated/order";

export type * from "@/api/generated/order";

/** Not as it stands, for example for another price than was seen. */
export const REFUSED = 60105;

/** What a payment or a delivery changes: grade, balances, coupons, lists, and what one has of the mall. */
export const STALE_BY_ORDER = ["Me", "Account", "Cart", "Coupons", "Models", "Orders"] as const;

/** Prices, coupons and orders: the calls with their tags, and which of them load in the background. */
const api = orderApi.enhanceEndpoints({
  addTagTypes: ["Account", "Cart", "Coupons", "Me", "Models", "Orders"],
  endpoints: {
    orderSelectMemberGradeList: { extraOptions: { background: true } },
    orderHasBeenGotCombinationCoupons: { providesTags: ["Coupons"], extraOptions: { background: true } },
    orderCheckNeedMemberCouponUp: { providesTags: ["Coupons"], extraOptions: { background: true } },
    orderCheckCouponUpDeadlineSeven: { providesTags: ["Coupons"], extraOptions: { background: true } },
    orderGetCombinationCoupons: { invalidatesTags: ["Coupons", "Me", "Account"] },
    orderCouponList: { providesTags: ["Coupons"], extraOptions: { background: true } },
    orderActiveCouponList: { providesTags: ["Coupons"], extraOptions: { background: true } },
    orderListOrders: { providesTags: ["Orders"], extraOptions: { background: true } },
    orderGetById: { providesTags: ["Orders"], extraOptions: { background: true } },
    // Asked every few seconds while a payment is awaited: a break of the network tells nothing new.
    orderFindByOrderId: { extraOptions: { silent: true } },
    // Its failure is told by an alert of its own.
    orderCreateMemberOrder: {
      invalidatesTags: ["Orders", "Me"],
      extraOptions: { silent: true, tellNote: true },
    },
    orderCreateRechargeOrder: { invalidatesTags: ["Orders", "Me"], extraOptions: { tellNote: true } },
    orderPackageList: { extraOptions: { background: true } },
    orderCreatePackageOrder: { invalidatesTags: ["Orders", "Me"], extraOptions: { tellNote: true } },
    orderCreateModelOrder: { invalidatesTags: ["Orders", "Me"], extraOptions: { tellNote: true } },
    // The cart tells what it has been refused for, and reads itself anew.
    orderCreateCartOrder: {
      invalidatesTags: ["Cart", "Orders", "Me"],
      extraOptions: { tellNote: true, ownCodes: [REFUSED] },
    },
    orderReturnItem: { invalidatesTags: ["Account", "Me", "Models", "Orders"] },
    // Told by whoever cancels; one that ends by its time is not spoken of.
    orderCancelOrder: {
      invalidatesTags: ["Orders", "Me", "Account", "Coupons"],
      extraOptions: { silent: true },
    },
  },
});

export const {
  useOrderActiveCouponListQuery,
  useOrderCancelOrderMutation,
  useOrderCheckCouponUpDeadlineSevenQuery,
  useOrderCheckNeedMemberCouponUpQuery,
  useOrderCouponListQuery,
  useOrderCreateCartOrderMutation,
  useOrderCreateMemberOrderMutation,
  useOrderCreateModelOrderMutation,
  useOrderCreatePackageOrderMutation,
  useOrderCreateRechargeOrderMutation,
  useOrderFindByOrderIdQuery,
  useOrderGetByIdQuery,
  useOrderGetCombinationCouponsMutation,
  useOrderHasBeenGotCombinationCouponsQuery,
  useOrderListOrdersQuery,
  useOrderPackageListQuery,
  useOrderReturnItemMutation,
  useOrderSelectMemberGradeListQuery,
} = api;

/** For calls outside components. */
export const orderEndpoints = api.endpoints;
export const invalidateOrder = api.util.invalidateTags;
