import { type Column, DataTable } from "@/ui/DataTable";
import { type AuthInvitationItem, useInvitationListQuery } from "../../api/generated/auth";
import { minute, shown } from "../../kit/format";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { nameOf, pathOf, STATES } from "./words";

const SHOWN = 10;

/** A user's invitees and inviter. */
export default function UserPanel({ loginId }: { loginId: string }) {
  const query = useInvitationListQuery({ loginId, size: SHOWN }, { refetchOnMountOrArgChange: true });
  const columns: Column<AuthInvitationItem>[] = [
    {
      key: "other",
      title: "对方",
      render: (item) => (
        <RowLink to={pathOf(item.id)}>
          {nameOf(item.inviter.loginId === loginId ? item.invitee : item.inviter)}
        </RowLink>
      ),
    },
    {
      key: "role",
      title: "关系",
      render: (item) => (item.inviter.loginId === loginId ? "由该用户邀请" : "邀请了该用户"),
    },
    { key: "state", title: "状态", render: (item) => <State words={STATES} value={item.state} /> },
    { key: "odd", title: "疑点", secondary: true, render: (item) => shown(item.suspicion.join("；")) },
    { key: "when", title: "时间", secondary: true, render: (item) => minute(item.createdAt) },
  ];
  return (
    <Loaded query={query} what="邀请">
      {({ items }) => (
        <DataTable
          caption="该用户的邀请"
          columns={columns}
          rows={items}
          rowKey={(item) => item.id}
          empty={<Nothing title="没有邀请记录" />}
        />
      )}
    </Loaded>
  );
}
