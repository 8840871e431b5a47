import { dayEnd, dayStart } from "@/ui/DateRange";
import { type AuthCertificationItem, authApi, useCertificationQueueQuery } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { ago, minute, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { holder, KINDS, pathOf, STATES, titleOf } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "loginId", label: "用户 ID", placeholder: "用户 ID" },
  { kind: "choice", name: "kind", label: "类型", choices: KINDS },
  {
    kind: "choice",
    name: "state",
    label: "状态",
    usual: "submitted",
    choices: [...STATES, { value: "all", text: "全部" }],
  },
  { kind: "days" },
];

const COLUMNS: readonly ListColumn<AuthCertificationItem>[] = [
  {
    key: "name",
    title: "申请",
    render: (item) => <RowLink to={pathOf(item.id)}>{titleOf(item)}</RowLink>,
    csv: (item) => titleOf(item),
  },
  {
    key: "kind",
    title: "类型",
    render: (item) => wordOf(KINDS, item.kind).text,
    csv: (item) => wordOf(KINDS, item.kind).text,
  },
  { key: "number", title: "证件号码", secondary: true, render: (item) => shown(item.number) },
  {
    key: "state",
    title: "状态",
    render: (item) => <State words={STATES} value={item.state} />,
    csv: (item) => wordOf(STATES, item.state).text,
  },
  {
    key: "who",
    title: "审核人",
    secondary: true,
    render: (item) => (holder(item) ? `${holder(item)} 正在审核` : shown(item.decidedBy)),
    csv: (item) => item.decidedBy,
  },
  {
    key: "submitted",
    title: "提交时间",
    numeric: true,
    render: (item) => (item.state === "submitted" ? ago(item.submittedAt) : minute(item.submittedAt)),
    csv: (item) => minute(item.submittedAt),
  },
  {
    key: "account",
    title: "用户 ID",
    secondary: true,
    render: (item) => item.loginId,
    csv: (item) => item.loginId,
  },
];

/** Pending requests, the oldest first; with other filters all decided ones. */
export default function QueuePage() {
  const state = useList(FILTERS);
  const { loginId, kind, state: asked, from, to } = state.values;
  const narrowed = {
    loginId,
    kind,
    state: asked,
    from: dayStart(from ?? ""),
    to: dayEnd(to ?? ""),
  };
  const query = useCertificationQueueQuery(
    { ...narrowed, after: state.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        title="认证审核"
        note={
          page &&
          (page.waiting > 0
            ? `${page.waiting} 份待审核，最早提交于 ${ago(page.oldestAt)}`
            : "没有待审核的申请")
        }
      />
      <List
        id="certification"
        what="认证申请"
        filters={FILTERS}
        state={state}
        columns={COLUMNS}
        rowKey={(item) => item.id}
        result={page && { rows: page.items, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有待审核的认证" />}
        fetchPage={async (after) => {
          const { items, next } = await runQuery(
            authApi.endpoints.certificationQueue.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: items, next };
        }}
      />
    </>
  );
}
