import { useMemo } from "react";
import {
  useAddFavouriteMutation,
  useFavouriteMarksQuery,
  useRemoveFavouritesMutation,
} from "@/calls/transaction";
import { useAuthDialog, useSession } from "@/session";
import { toast } from "@/ui/toast";

/** Whether a model is a favourite of the current user, and how to toggle it; a visitor signs in first. */
export function useMarks(modelId: string) {
  const { loginId, signedIn } = useSession();
  const dialog = useAuthDialog();
  const { data } = useFavouriteMarksQuery({ userId: loginId }, { skip: !signedIn });
  const [add, adding] = useAddFavouriteMutation();
  const [remove, removing] = useRemoveFavouritesMutation();
  const marked = useMemo(
    () => signedIn && (data?.modelIds.includes(modelId) ?? false),
    [signedIn, data, modelId],
  );
  /** Toggles the mark; returns the change of the count, 0 if unchanged. */
  async function turn(): Promise<-1 | 0 | 1> {
    if (!signedIn) {
      dialog.open("login");
      return 0;
    }
    try {
      if (marked) await remove({ userId: loginId, modelIds: modelId, folderId: "" }).unwrap();
      else await add({ userId: loginId, modelId, folderId: "" }).unwrap();
    } catch {
      // already reported by the shared wrapper
      return 0;
    }
    toast.success(marked ? "已取消收藏" : "已收藏到默认收藏夹");
    return marked ? -1 : 1;
  }
  return { marked, turn, busy: adding.isLoading || removing.isLoading };
}
