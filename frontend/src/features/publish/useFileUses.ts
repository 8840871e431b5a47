import { useFileUsesQuery } from "@/calls/listings";
import type { TransactionFileUse } from "@/calls/transaction";
import { useSession } from "@/session";

/** What each of these released files is used for, at most 100. */
export function useFileUses(fileIds: readonly string[], pollingInterval = 0) {
  const { loginId } = useSession();
  const query = useFileUsesQuery(
    { userId: loginId, fileIds: fileIds.join(",") },
    { skip: fileIds.length === 0 || loginId === "", refetchOnMountOrArgChange: true, pollingInterval },
  );
  const uses = new Map(query.currentData?.results.map((use) => [use.fileId, use]));
  return {
    known: query.currentData !== undefined || fileIds.length === 0,
    failed: query.isError && !query.isFetching,
    usedFor: (fileId: string): TransactionFileUse | undefined => uses.get(fileId),
    reread: () => void query.refetch(),
  };
}

/** Whether it was never handed in, so that the file is still free for another model's version. */
export const isMereDraft = ({ state, released }: TransactionFileUse): boolean =>
  state === "draft" && !released;
