import { generatedApi } from "./generated";

/**
 * Calls of the specification whose service is not in the published contract yet. The gateway answers
 * them "not open yet" (60404). Each goes from here once `npm run api` generates an endpoint of its name.
 */
export interface CartItem {
  modelId: string;
  modelName: string;
  /** Cents. */
  modelPrice: number;
  preview: string;
}

export interface CartList {
  totalCount: number;
  results: CartItem[];
}

export const pendingApi = generatedApi.injectEndpoints({
  endpoints: (build) => ({
    transactionGetCartList: build.query<CartList, { pageNo: number; pageSize: number }>({
      query: (body) => ({
        url: "/api-transaction/laozi/v3/transaction/getCartList",
        method: "POST",
        body,
      }),
      providesTags: ["Cart"],
      extraOptions: { background: true },
    }),
    authSaveInvitedCode: build.mutation<null, { uid: string; invitedcode: string }>({
      query: (body) => ({ url: "/api-user/users-comm/saveInvitedCode", method: "POST", body }),
      // Its owner field is `uid`, and its success code is its own.
      extraOptions: { successCodes: [200], notFast: true },
    }),
    authRelatedPhone: build.mutation<
      string,
      { phoneno: string; verifycode: string; smsKey: string; openId: string; type: string }
    >({
      query: (body) => ({ url: "/api-auth/oauth/user/relatedPhone", method: "POST", body }),
    }),
  }),
  overrideExisting: false,
});

export const { useTransactionGetCartListQuery, useAuthSaveInvitedCodeMutation, useAuthRelatedPhoneMutation } =
  pendingApi;
