import {
  type PaymentWithdrawalItem,
  paymentApi,
  useWithdrawalSearchQuery,
} from "../../api/generated/payment";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { ago, minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { cardOf, pathOf, STATES, yuan } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;
const OPEN = "open";

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "state", label: "状态", usual: OPEN, choices: STATES },
  { kind: "text", name: "loginId", label: "账号 ID", placeholder: "完整的账号 ID" },
];

const COLUMNS: readonly ListColumn<PaymentWithdrawalItem>[] = [
  {
    key: "amount",
    title: "金额",
    render: (item) => <RowLink to={pathOf(item.id)}>{yuan(item.amount)}</RowLink>,
    csv: (item) => (item.amount / 100).toFixed(2),
  },
  {
    key: "owner",
    title: "账号",
    secondary: true,
    render: ({ loginId }) => loginId,
    csv: ({ loginId }) => loginId,
  },
  { key: "card", title: "收款卡", secondary: true, render: cardOf, csv: cardOf },
  {
    key: "state",
    title: "状态",
    render: ({ state }) => <State words={STATES} value={state} />,
    csv: ({ state }) => wordOf(STATES, state).text,
  },
  {
    key: "two",
    title: "复核",
    secondary: true,
    render: ({ needsTwo }) => (needsTwo ? "需两人" : "一人"),
    csv: ({ needsTwo }) => (needsTwo ? "需两人" : "一人"),
  },
  {
    key: "when",
    title: "申请时间",
    numeric: true,
    render: ({ requestedAt, endedAt }) => (endedAt > 0 ? minute(requestedAt) : ago(requestedAt)),
    csv: ({ requestedAt }) => minute(requestedAt),
  },
];

/** Withdrawals that wait for an operator, the oldest first; or those in one state. */
export default function QueuePage() {
  const list = useList(FILTERS);
  const chosen = list.values.state;
  const narrowed = { loginId: list.values.loginId, state: chosen };
  const query = useWithdrawalSearchQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        title="收入提现"
        note={
          page &&
          (page.waiting > 0
            ? `${page.waiting} 笔待办，共 ${yuan(page.waitingCents)}，最早一笔来自 ${ago(page.oldestAt)}`
            : "没有待办的提现")
        }
      />
      <List
        id="withdrawals"
        what="提现"
        filters={FILTERS}
        state={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        result={page && { rows: page.withdrawals, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有待办的提现" />}
        fetchPage={async (after) => {
          const { withdrawals, next } = await runQuery(
            paymentApi.endpoints.withdrawalSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: withdrawals, next };
        }}
      />
    </>
  );
}
