import { useState } from "react";
import { useGetPersonalStatisticsByUserIdQuery, useQueryInfoQuery } from "@/calls/personal";
import { useCardListQuery, useListFilesQuery, useStorageQuery } from "@/calls/process";
import { useMyModelsQuery } from "@/calls/transaction";
import { useQueue } from "@/realtime";
import { useSession } from "@/session";
import { gradeOf } from "@/ui/MemberBadge";
import type { Progress } from "./RunningJobs";

/** Files and results to search for unfinished ones. */
const LIST_SIZE = 50;
/** Polling interval while something is unfinished, in case no push arrives. */
const POLL_MS = 30_000;

/** Data of the workbench's first page, kept up to date by push and, while something runs, by polling. */
export function useWorkbench() {
  const session = useSession();
  const skip = !session.signedIn;
  const [busy, setBusy] = useState(false);
  const poll = { skip, pollingInterval: busy ? POLL_MS : 0 };
  const user = useQueryInfoQuery({ userId: session.loginId }, { skip });
  const statistics = useGetPersonalStatisticsByUserIdQuery({}, { skip });
  const files = useListFilesQuery({ pageNo: 1, pageSize: LIST_SIZE }, poll);
  const results = useCardListQuery({ pageNo: 1, pageSize: LIST_SIZE }, poll);
  const storage = useStorageQuery({}, { skip });
  // The statistics count published files as models too, and no free ones of the mall: not what that page lists.
  const models = useMyModelsQuery(
    { userId: session.loginId, pageNo: 1, pageSize: 1, modelId: "" },
    { skip, refetchOnMountOrArgChange: true },
  );

  const [progress, setProgress] = useState<Progress>({});

  useQueue("CHECK", (message) => {
    if (!skip && (message.status === "Success" || message.status === "Error")) {
      files.refetch();
      statistics.refetch();
      storage.refetch();
    }
  });
  useQueue("SERVICE", (message) => {
    if (skip) return;
    const known = results.data?.results.some((result) => result.resultId === message.id);
    if (!known || message.status === "done" || message.status === "failed") {
      results.refetch();
      statistics.refetch();
    }
    setProgress((seen) => ({ ...seen, [message.id]: { percent: message.percent, tips: message.tips } }));
  });

  const listed = files.data?.results ?? [];
  const done = results.data?.results ?? [];
  const working =
    listed.some((file) => file.status === "checking") ||
    done.some((result) => result.status === "running" || result.status === "queued");
  if (working !== busy) setBusy(working);

  const grade = gradeOf(user.data);
  return {
    name: user.data?.nickName || session.nickname,
    grade,
    storage: storage.data,
    statistics: statistics.data,
    models: models.data?.totalCount,
    files,
    listed,
    done,
    results,
    progress,
  };
}
