import { authEndpoints } from "@/calls/auth";
import { personalEndpoints } from "@/calls/personal";
import { CART_PAGE, transactionEndpoints } from "@/calls/transaction";
import { later } from "@/lib/later";
import type { AppDispatch } from "@/store";
import { readLoginId } from "./cookies";
import { profileLoaded } from "./slice";

/** Loads account, statistics, user info and cart after a sign-in. Failures are silent. */
export async function loadUser(dispatch: AppDispatch, loginId: string): Promise<void> {
  await later();
  // The user may have signed out meanwhile.
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
