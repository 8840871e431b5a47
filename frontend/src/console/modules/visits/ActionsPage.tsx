import { dayEnd, dayStart } from "@/ui/DateRange";
import type { AnalyticsVisitAction } from "../../api/generated/analytics";
import { useVisitActionsQuery } from "../../api/generated/analytics";
import { moment, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { useList } from "../../kit/useList";
import { Export } from "./Export";

const PAGE = 50;

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "tag", label: "标签", placeholder: "标签，完全一致" },
  { kind: "text", name: "visitor", label: "访客", placeholder: "访客编号" },
  { kind: "days" },
];

const COLUMNS: readonly ListColumn<AnalyticsVisitAction>[] = [
  { key: "at", title: "时间", width: 168, render: (line) => moment(line.at) },
  { key: "tag", title: "标签", render: (line) => shown(line.tag) },
  { key: "location", title: "页面位置", render: (line) => shown(line.location) },
  { key: "node", title: "节点", render: (line) => shown(line.node) },
  { key: "template", title: "模板", secondary: true, render: (line) => shown(line.template) },
  { key: "source", title: "来源", secondary: true, render: (line) => shown(line.source) },
  { key: "visitor", title: "访客", secondary: true, render: (line) => shown(line.visitor) },
  { key: "user", title: "自称用户", secondary: true, render: (line) => shown(line.userClaim) },
];

/** Individual actions of visitors, as reported by their browsers. */
export default function ActionsPage() {
  const state = useList(FILTERS);
  const { tag, visitor, from, to } = state.values;
  const days = { from: dayStart(from ?? ""), to: dayEnd(to ?? "") };
  const query = useVisitActionsQuery({ tag, visitor, ...days, after: state.after, size: PAGE });
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        back={{ to: "/visits", text: "访问统计" }}
        title="行为日志"
        note={`浏览器上报的原始记录，未经核实${page ? `；保留 ${page.keptDays} 天` : ""}`}
      />
      <List
        id="visit-actions"
        what="行为记录"
        filters={FILTERS}
        state={state}
        columns={COLUMNS}
        rowKey={(line) => line.id}
        result={page && { rows: page.actions, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        actions={<Export what="actions" title="行为日志" range={days} />}
      />
    </>
  );
}
