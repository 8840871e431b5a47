import { type MatchupProviderItem, matchupApi, useProviderSearchQuery } from "../../api/generated/matchup";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { ago, minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { PROVIDER_STATES, providerPath } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;
const WAITING = "review";

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "名称或 ID", placeholder: "名称、服务商 ID 或账号 ID" },
  {
    kind: "choice",
    name: "state",
    label: "状态",
    usual: WAITING,
    choices: [...PROVIDER_STATES, { value: "all", text: "全部" }],
  },
];

const COLUMNS: readonly ListColumn<MatchupProviderItem>[] = [
  {
    key: "name",
    title: "服务商",
    render: ({ card }) => (
      <RowLink to={providerPath(card?.providerId ?? "")}>{card?.name || "未认证"}</RowLink>
    ),
    csv: ({ card }) => card?.name ?? "",
  },
  {
    key: "skills",
    title: "服务",
    secondary: true,
    render: ({ card }) => card?.skills.join("、") || "—",
    csv: ({ card }) => card?.skills.join(" ") ?? "",
  },
  {
    key: "state",
    title: "状态",
    render: ({ state }) => <State words={PROVIDER_STATES} value={state} />,
    csv: ({ state }) => wordOf(PROVIDER_STATES, state).text,
  },
  {
    key: "suspects",
    title: "可疑词语",
    render: ({ suspects }) => suspects.join("、") || "—",
    csv: ({ suspects }) => suspects.join(" "),
  },
  {
    key: "time",
    title: "时间",
    numeric: true,
    render: ({ submittedAt, updatedAt }) => (submittedAt > 0 ? ago(submittedAt) : minute(updatedAt)),
    csv: ({ submittedAt, updatedAt }) => minute(submittedAt || updatedAt),
  },
];

/** Profiles flagged by the word check, the oldest first; or those in one state. */
export default function ProvidersPage() {
  const list = useList(FILTERS);
  const chosen = list.values.state;
  const narrowed = { text: list.values.text, state: chosen };
  const query = useProviderSearchQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        back={{ to: "/matching", text: "需求审核" }}
        title="服务商"
        note={page && (page.waiting > 0 ? `${page.waiting} 份资料等待审核` : "没有等待审核的资料")}
      />
      <List
        id="matching-providers"
        what="服务商"
        filters={FILTERS}
        state={list}
        columns={COLUMNS}
        rowKey={({ card }) => card?.providerId ?? ""}
        result={page && { rows: page.providers, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有等待审核的资料" />}
        fetchPage={async (after) => {
          const { providers, next } = await runQuery(
            matchupApi.endpoints.providerSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: providers, next };
        }}
      />
    </>
  );
}
