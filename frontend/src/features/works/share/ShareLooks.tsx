import { useShareLooksQuery } from "@/calls/works";
import { useSession } from "@/session";
import { dateText } from "@/ui/dateText";
import { ListPage, useListState } from "@/ui/list";
import { Panel } from "@/ui/Panel";

const lengthOf = (seconds: number): string => {
  if (seconds <= 0) return "—";
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} 分 ${seconds % 60} 秒` : `${seconds} 秒`;
};

/** Visits of a share: time, source, duration. */
export function ShareLooks({ shareId }: { shareId: string }) {
  const { loginId } = useSession();
  const list = useListState({ pageSize: 10 });
  const looks = useShareLooksQuery(
    { userId: loginId, shareId, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <Panel title="访问记录">
      <ListPage
        dense
        what="访问记录"
        query={looks}
        list={list}
        rowKey={({ at, host, seconds }) => `${at} ${host} ${seconds}`}
        columns={[
          { key: "at", title: "时间", render: ({ at }) => dateText(at) },
          { key: "host", title: "来源", render: ({ host }) => host || "直接打开" },
          { key: "seconds", title: "停留", numeric: true, render: ({ seconds }) => lengthOf(seconds) },
        ]}
        empty={{ title: "还没有人看过", hint: "保留最近 90 天的记录。" }}
      />
    </Panel>
  );
}
