import type { ReactNode } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import type { AuthCertificationItem } from "../../api/generated/auth";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { KINDS, pathOf, STATES, titleOf } from "./words";

const COLUMNS: readonly Column<AuthCertificationItem>[] = [
  { key: "name", title: "申请", render: (item) => <RowLink to={pathOf(item.id)}>{titleOf(item)}</RowLink> },
  { key: "kind", title: "类型", render: (item) => wordOf(KINDS, item.kind).text },
  { key: "state", title: "状态", render: (item) => <State words={STATES} value={item.state} /> },
  { key: "submitted", title: "提交时间", render: (item) => minute(item.submittedAt) },
  { key: "by", title: "审核人", secondary: true, render: (item) => shown(item.decidedBy) },
  { key: "cause", title: "驳回原因", secondary: true, render: (item) => shown(item.cause) },
];
const ACCOUNT: Column<AuthCertificationItem> = {
  key: "account",
  title: "账号",
  render: (item) => <RowLink to={`/users/${encodeURIComponent(item.loginId)}`}>{item.loginId}</RowLink>,
};

/** Requests of one account, or of several. */
export function History({
  caption,
  items,
  accounts = false,
  empty,
}: {
  caption: string;
  items: readonly AuthCertificationItem[];
  /** Shows the account of each request. */
  accounts?: boolean;
  empty: ReactNode;
}) {
  return (
    <DataTable
      caption={caption}
      columns={accounts ? [...COLUMNS, ACCOUNT] : COLUMNS}
      rows={items}
      rowKey={(item) => item.id}
      empty={empty}
    />
  );
}
