import { generatedShopApi } from "@/api/generated.shop";

/**
 * The calls of buying, with what the contract cannot say of them. Apart from the API that the first load
 * carries: nobody buys before a page or a dialog of the shop is open.
 */
const shopApi = generatedShopApi.enhanceEndpoints({
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
    // The payment dialog tells their failures, each with its way on.
    paymentPcAlipay: { extraOptions: { silent: true } },
    paymentWeixinPay: { extraOptions: { silent: true } },
    paymentCloudCoinPay: { extraOptions: { silent: true } },
    paymentIncomeBalancePay: { extraOptions: { silent: true } },
    paymentQueryAccountDetails: { providesTags: ["Account"], extraOptions: { background: true } },
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
  usePaymentCloudCoinPayMutation,
  usePaymentIncomeBalancePayMutation,
  usePaymentPcAlipayMutation,
  usePaymentQueryAccountDetailsQuery,
  usePaymentWeixinPayMutation,
} = shopApi;

/** The endpoints, for calls outside components. */
export const shopEndpoints = shopApi.endpoints;
