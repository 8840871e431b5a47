import { type Column, DataTable } from "@/ui/DataTable";
import { type AuthUserItem, useUserSearchQuery } from "../../api/generated/auth";
import { ago } from "../../kit/format";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { nameOf, USER_STATES, userPath } from "./words";

const SHOWN = 6;

const COLUMNS: readonly Column<AuthUserItem>[] = [
  {
    key: "name",
    title: "用户",
    render: (user) => <RowLink to={userPath(user.loginId)}>{nameOf(user)}</RowLink>,
  },
  { key: "phone", title: "手机号", secondary: true, render: (user) => user.phone || user.email },
  { key: "state", title: "状态", render: (user) => <State words={USER_STATES} value={user.state} /> },
  { key: "when", title: "注册", numeric: true, render: (user) => ago(user.createdAt) },
];

/** The newest users. */
export default function NewUsersCard() {
  const query = useUserSearchQuery({ size: SHOWN }, usePolling(60_000));
  return (
    <Loaded query={query} what="最近注册">
      {({ users }) => (
        <DataTable
          caption="最近注册的用户"
          columns={COLUMNS}
          rows={users}
          rowKey={(user) => user.loginId}
          empty={<Nothing title="还没有用户" />}
        />
      )}
    </Loaded>
  );
}
