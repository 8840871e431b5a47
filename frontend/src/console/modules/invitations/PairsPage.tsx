import Box from "@mui/material/Box";
import { dayEnd, dayStart } from "@/ui/DateRange";
import { type AuthInvitationItem, authApi, useInvitationListQuery } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { ago, minute, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { useList } from "../../kit/useList";
import { Figures } from "./Figures";
import { nameOf, pathOf, rewardOf, STATES, SUSPICIONS } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "loginId", label: "用户 ID", placeholder: "任意一方的用户 ID" },
  { kind: "choice", name: "state", label: "状态", choices: STATES, none: { held: "没有待处理的奖励" } },
  { kind: "choice", name: "suspicion", label: "疑点", choices: SUSPICIONS },
  { kind: "days" },
];

const COLUMNS: readonly ListColumn<AuthInvitationItem>[] = [
  {
    key: "pair",
    title: "被邀请人",
    render: (item) => <RowLink to={pathOf(item.id)}>{nameOf(item.invitee)}</RowLink>,
    csv: (item) => item.invitee.loginId,
  },
  {
    key: "inviter",
    title: "邀请人",
    render: (item) => nameOf(item.inviter),
    csv: (item) => item.inviter.loginId,
  },
  {
    key: "state",
    title: "状态",
    render: (item) => <State words={STATES} value={item.state} />,
    csv: (item) => wordOf(STATES, item.state).text,
  },
  {
    key: "odd",
    title: "疑点",
    render: (item) => shown(item.suspicion.join("；")),
    csv: (item) => item.suspicion.join("；"),
  },
  {
    key: "reward",
    title: "邀请人奖励",
    secondary: true,
    render: (item) => rewardOf(item, item.inviter),
    csv: (item) => rewardOf(item, item.inviter),
  },
  {
    key: "created",
    title: "邀请时间",
    numeric: true,
    secondary: true,
    render: (item) => minute(item.createdAt),
    csv: (item) => minute(item.createdAt),
  },
];

/** Inviters and invitees; held rewards are sorted oldest first. */
export default function PairsPage() {
  const state = useList(FILTERS);
  const { loginId, state: wanted, suspicion, from, to } = state.values;
  const narrowed = {
    loginId,
    state: wanted,
    suspicion,
    from: dayStart(from ?? ""),
    to: dayEnd(to ?? ""),
  };
  const query = useInvitationListQuery(
    { ...narrowed, after: state.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle
        title="邀请奖励"
        note={
          page &&
          (page.waiting > 0
            ? `${page.waiting} 条待处理，最早一条来自 ${ago(page.oldestAt)}`
            : "没有待处理的奖励")
        }
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        <Figures />
        <List
          id="invitations"
          what="邀请"
          filters={FILTERS}
          state={state}
          columns={COLUMNS}
          rowKey={(item) => item.id}
          result={page && { rows: page.items, next: page.next }}
          error={query.error}
          loading={query.isFetching}
          onRetry={query.refetch}
          fetchPage={async (after) => {
            const { items, next } = await runQuery(
              authApi.endpoints.invitationList.initiate(
                { ...narrowed, after, size: EXPORT_PAGE },
                { forceRefetch: true },
              ),
            );
            return { rows: items, next };
          }}
        />
      </Box>
    </>
  );
}
