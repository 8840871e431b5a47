import { authEndpoints } from "@/calls/auth";
import { personalEndpoints } from "@/calls/personal";
import { CART_PAGE, transactionEndpoints } from "@/calls/transaction";
import type { AppDispatch } from "@/store";
import { readLoginId } from "./cookies";
import { profileLoaded } from "./slice";

/** Account, statistics, user info and cart, as after every sign-in. Failures stay in the background. */
export async function loadUser(dispatch: AppDispatch, loginId: string): Promise<void> {
  // This module comes by itself: the person may have left while it was on its way.
  if (readLoginId() !== loginId) return;
  const once = { forceRefetch: true, subscribe: false } as const;
  const [appUser, info] = await Promise.all([
    dispatch(authEndpoints.appUserInfo.initiate({}, once)),
    dispatch(personalEndpoints.queryInfo.initiate({}, once)),
    dispatch(personalEndpoints.accountInformation.initiate({}, once)),
    dispatch(personalEndpoints.getPersonalStatisticsByUserId.initiate({}, once)),
    dispatch(transactionEndpoints.getCartList.initiate(CART_PAGE, once)),
  ]);
  if (appUser.data) dispatch(profileLoaded(appUser.data));
  if (info.data) {
    dispatch(
      profileLoaded({
        avatar: info.data.avatar,
        nickname: info.data.nickName,
        uploaderType: info.data.uploaderType ?? undefined,
      }),
    );
  }
}
