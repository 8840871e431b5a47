import { useCallback } from "react";
import {
  type PersonalKeptUserInfo,
  type PersonalModifyUserInfoRequest,
  useModifyUserInfoMutation,
} from "@/calls/personal";
import { accountMessages as m } from "@/messages/account";
import { profileLoaded } from "@/session/slice";
import { useAppDispatch } from "@/store/hooks";
import { toast } from "@/ui/toast";

/** Updates the profile; returns what was saved, or undefined when the call failed. */
export type ModifyProfile = (
  change: PersonalModifyUserInfoRequest,
  done?: string,
) => Promise<PersonalKeptUserInfo | undefined>;

export function useModifyProfile(): ModifyProfile {
  const dispatch = useAppDispatch();
  const [modify] = useModifyUserInfoMutation();
  return useCallback(
    async (change, done = m.saved) => {
      const { data } = await modify(change);
      if (!data) return undefined;
      dispatch(
        profileLoaded({
          avatar: data.avatar ?? "",
          nickname: data.nickname ?? undefined,
          username: data.username ?? undefined,
        }),
      );
      // A tip reports each value that the scans replaced; all else was saved.
      for (const tip of data.tips) toast.warning(tip.message);
      if (data.tips.length === 0) toast.success(done);
      return data;
    },
    [dispatch, modify],
  );
}
