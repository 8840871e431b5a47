import { useAccountInformationQuery, useAvatarInformationQuery, useQueryInfoQuery } from "@/calls/personal";
import { useSession } from "@/session";

/** Header data of the signed-in user; all empty for a visitor. */
export function useAvatarData() {
  const { signedIn, loginId } = useSession();
  const skip = !signedIn;
  const userId = loginId ?? undefined;
  const avatar = useAvatarInformationQuery({ userId }, { skip });
  const user = useQueryInfoQuery({ userId }, { skip });
  const account = useAccountInformationQuery({ userId }, { skip });
  return {
    info: skip ? undefined : avatar.data,
    user: skip ? undefined : user.data,
    account: skip ? undefined : account.data,
    loading: !skip && (avatar.isLoading || user.isLoading || account.isLoading),
  };
}
