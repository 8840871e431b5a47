import { useState } from "react";
import { useShareLooksQuery } from "@/calls/works";
import { useSession } from "@/session";
import { DataTable } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import { Pager } from "@/ui/Pager";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";

const PAGE_SIZE = 10;

const lengthOf = (seconds: number): string => {
  if (seconds <= 0) return "—";
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} 分 ${seconds % 60} 秒` : `${seconds} 秒`;
};

/** Who looked: when, from where, how long. */
export function ShareLooks({ shareId }: { shareId: string }) {
  const { loginId } = useSession();
  const [page, setPage] = useState(1);
  const { data, isError, isFetching, refetch } = useShareLooksQuery(
    { userId: loginId, shareId, pageNo: page, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <Panel title="访问记录">
      {isError && !isFetching ? (
        <ReadFailed what="访问记录" onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption="访问记录"
          loading={!data}
          rows={data?.results ?? []}
          rowKey={({ at, host, seconds }) => `${at} ${host} ${seconds}`}
          columns={[
            { key: "at", title: "时间", render: ({ at }) => dateText(at) },
            { key: "host", title: "来源", render: ({ host }) => host || "直接打开" },
            { key: "seconds", title: "停留", numeric: true, render: ({ seconds }) => lengthOf(seconds) },
          ]}
          empty={<EmptyState title="还没有人看过" hint="保留最近 90 天的记录。" />}
        />
      )}
      <Pager total={data?.totalCount ?? 0} page={page} pageSize={PAGE_SIZE} onPage={setPage} />
    </Panel>
  );
}
