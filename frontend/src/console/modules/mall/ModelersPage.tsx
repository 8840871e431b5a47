import Button from "@mui/material/Button";
import { Link } from "react-router";
import {
  type TransactionModelerItem,
  transactionApi,
  useModelerSearchQuery,
} from "../../api/generated/transaction";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { ago, minute, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { CERTIFIED, MAKERS, MODELER_STATES, modelerPath } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;
const WAITING = "waiting";

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "账号 ID", placeholder: "完整的账号 ID" },
  {
    kind: "choice",
    name: "state",
    label: "状态",
    usual: WAITING,
    choices: [
      { value: WAITING, text: "待审核" },
      { value: "approved", text: "已通过" },
      { value: "refused", text: "未通过" },
      { value: "frozen", text: "已冻结" },
    ],
  },
];

const COLUMNS: readonly ListColumn<TransactionModelerItem>[] = [
  {
    key: "who",
    title: "账号",
    render: ({ loginId, nickname }) => <RowLink to={modelerPath(loginId)}>{nickname || loginId}</RowLink>,
    csv: ({ loginId }) => loginId,
  },
  {
    key: "kind",
    title: "身份",
    render: ({ uploaderType }) => wordOf(MAKERS, String(uploaderType)).text,
    csv: ({ uploaderType }) => wordOf(MAKERS, String(uploaderType)).text,
  },
  {
    key: "state",
    title: "状态",
    render: ({ state, frozen }) => <State words={MODELER_STATES} value={frozen ? "frozen" : state} />,
    csv: ({ state, frozen }) => wordOf(MODELER_STATES, frozen ? "frozen" : state).text,
  },
  {
    key: "certified",
    title: "实名认证",
    secondary: true,
    render: ({ checkStatus }) => <State words={CERTIFIED} value={String(checkStatus)} />,
    csv: ({ checkStatus }) => wordOf(CERTIFIED, String(checkStatus)).text,
  },
  {
    key: "applied",
    title: "申请时间",
    numeric: true,
    render: ({ appliedAt, state }) =>
      appliedAt === 0 ? shown("") : state === "waiting" ? ago(appliedAt) : minute(appliedAt),
    csv: ({ appliedAt }) => (appliedAt === 0 ? "" : minute(appliedAt)),
  },
];

/** Pending maker applications, the oldest first; or the makers in one state. */
export default function ModelersPage() {
  const list = useList(FILTERS);
  const chosen = list.values.state;
  const narrowed = { text: list.values.text, state: chosen === WAITING ? "" : chosen };
  const query = useModelerSearchQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        title="模型师"
        note={page && (page.waiting > 0 ? `${page.waiting} 份入驻申请等待审核` : "没有等待审核的申请")}
        actions={
          <Button component={Link} to="/mall" size="small" variant="outlined" color="inherit">
            模型审核
          </Button>
        }
      />
      <List
        id="modelers"
        what="模型师"
        filters={FILTERS}
        state={list}
        columns={COLUMNS}
        rowKey={({ loginId }) => loginId}
        result={page && { rows: page.modelers, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有等待审核的申请" />}
        fetchPage={async (after) => {
          const { modelers, next } = await runQuery(
            transactionApi.endpoints.modelerSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: modelers, next };
        }}
      />
    </>
  );
}
