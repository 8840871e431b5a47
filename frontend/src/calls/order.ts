import { orderApi } from "@/api/generated/order";

export type * from "@/api/generated/order";

/** Prices, coupons and orders: the calls with their tags, and which of them load in the background. */
const api = orderApi.enhanceEndpoints({
  addTagTypes: ["Account", "Coupons", "Me", "Orders"],
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
  useOrderCreateMemberOrderMutation,
  useOrderCreatePackageOrderMutation,
  useOrderCreateRechargeOrderMutation,
  useOrderFindByOrderIdQuery,
  useOrderGetByIdQuery,
  useOrderGetCombinationCouponsMutation,
  useOrderHasBeenGotCombinationCouponsQuery,
  useOrderListOrdersQuery,
  useOrderPackageListQuery,
  useOrderSelectMemberGradeListQuery,
} = api;

/** For calls outside components. */
export const orderEndpoints = api.endpoints;
export const invalidateOrder = api.util.invalidateTags;
