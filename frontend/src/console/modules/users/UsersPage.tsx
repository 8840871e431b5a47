import { dayEnd, dayStart } from "@/ui/DateRange";
import { type AuthUserItem, authApi, useUserSearchQuery } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { useList } from "../../kit/useList";
import { nameOf, searchText, USER_STATES, userPath } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "查找用户", placeholder: "手机号、邮箱、账号、昵称" },
  { kind: "choice", name: "state", label: "状态", choices: USER_STATES },
  { kind: "days" },
];

const COLUMNS: readonly ListColumn<AuthUserItem>[] = [
  {
    key: "name",
    title: "用户",
    render: (user) => <RowLink to={userPath(user.loginId)}>{nameOf(user)}</RowLink>,
    csv: (user) => user.nickname,
  },
  {
    key: "number",
    title: "账号",
    render: (user) => shown(user.accountNumber),
    csv: (user) => user.accountNumber,
  },
  { key: "phone", title: "手机号", render: (user) => shown(user.phone), csv: (user) => user.phone },
  {
    key: "email",
    title: "邮箱",
    secondary: true,
    render: (user) => shown(user.email),
    csv: (user) => user.email,
  },
  {
    key: "state",
    title: "状态",
    render: (user) => <State words={USER_STATES} value={user.state} />,
    csv: (user) => wordOf(USER_STATES, user.state).text,
  },
  {
    key: "created",
    title: "注册时间",
    numeric: true,
    secondary: true,
    render: (user) => minute(user.createdAt),
    csv: (user) => minute(user.createdAt),
  },
  {
    key: "id",
    title: "用户 ID",
    secondary: true,
    render: (user) => user.loginId,
    csv: (user) => user.loginId,
  },
];

export default function UsersPage() {
  const state = useList(FILTERS);
  const { text, state: wanted, from, to } = state.values;
  const narrowed = {
    text: searchText(text ?? ""),
    state: wanted,
    from: dayStart(from ?? ""),
    to: dayEnd(to ?? ""),
  };
  const query = useUserSearchQuery({ ...narrowed, after: state.after, size: PAGE });
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle title="用户" />
      <List
        id="users"
        what="用户"
        filters={FILTERS}
        state={state}
        columns={COLUMNS}
        rowKey={(user) => user.loginId}
        result={page && { rows: page.users, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        fetchPage={async (after) => {
          const { users, next } = await runQuery(
            authApi.endpoints.userSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: users, next };
        }}
      />
    </>
  );
}
