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
    dispatch(authEndpoints.authAppUserInfo.initiate({}, once)),
    dispatch(personalEndpoints.personalQueryInfo.initiate({}, once)),
    dispatch(personalEndpoints.personalAccountInformation.initiate({}, once)),
    dispatch(personalEndpoints.personalGetPersonalStatisticsByUserId.initiate({}, once)),
    dispatch(transactionEndpoints.transactionGetCartList.initiate(CART_PAGE, once)),
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
