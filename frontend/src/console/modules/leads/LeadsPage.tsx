import type { PersonalLead } from "../../api/generated/personal";
import { personalApi, useLeadListQuery } from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { count, minute, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { useList } from "../../kit/useList";
import { pathOf, STATES } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "state", label: "状态", choices: STATES, none: { new: "没有待联系的申请" } },
  { kind: "text", name: "keyword", label: "企业或联系人" },
];

const COLUMNS: readonly ListColumn<PersonalLead>[] = [
  {
    key: "company",
    title: "企业",
    render: (one) => <RowLink to={pathOf(one.id)}>{one.companyName}</RowLink>,
    csv: (one) => one.companyName,
  },
  { key: "contact", title: "联系人", render: (one) => one.contactName, csv: (one) => one.contactName },
  {
    key: "phone",
    title: "手机号",
    numeric: true,
    width: 128,
    render: (one) => one.phoneMasked,
    csv: (one) => one.phoneMasked,
  },
  {
    key: "state",
    title: "状态",
    width: 96,
    render: (one) => <State words={STATES} value={one.state} />,
    csv: (one) => wordOf(STATES, one.state).text,
  },
  {
    key: "created",
    title: "提交时间",
    numeric: true,
    width: 144,
    render: (one) => minute(one.createdAt),
    csv: (one) => minute(one.createdAt),
  },
  {
    key: "operator",
    title: "最近处理",
    secondary: true,
    render: (one) => shown(one.operator),
    csv: (one) => one.operator,
  },
];

/** Requests for a call, sent from the page of asset management. */
export default function LeadsPage() {
  const list = useList(FILTERS);
  const { state, keyword } = list.values;
  const narrowed = { state, keyword };
  const query = useLeadListQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle title="咨询申请" note={page && `${count(page.waiting)} 份待联系`} />
      <List
        id="leads"
        what="申请"
        filters={FILTERS}
        state={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        result={page && { rows: page.leads, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        fetchPage={async (after) => {
          const { leads, next } = await runQuery(
            personalApi.endpoints.leadList.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: leads, next };
        }}
      />
    </>
  );
}
