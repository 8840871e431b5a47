import {
  usePersonalAccountInformationQuery,
  usePersonalAvatarInformationQuery,
  usePersonalQueryInfoQuery,
} from "@/calls/personal";
import { useSession } from "@/session";

/** What the header knows of the signed-in person; all empty for a visitor. */
export function useAvatarData() {
  const { signedIn, loginId } = useSession();
  const skip = !signedIn;
  const userId = loginId ?? undefined;
  const avatar = usePersonalAvatarInformationQuery({ userId }, { skip });
  const user = usePersonalQueryInfoQuery({ userId }, { skip });
  const account = usePersonalAccountInformationQuery({ userId }, { skip });
  return {
    info: skip ? undefined : avatar.data,
    user: skip ? undefined : user.data,
    account: skip ? undefined : account.data,
    loading: !skip && (avatar.isLoading || user.isLoading || account.isLoading),
  };
}
