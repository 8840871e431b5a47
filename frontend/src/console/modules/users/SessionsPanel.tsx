import { useState } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import { toast } from "@/ui/toast";
import { type AuthUserSession, useUserEndSessionsMutation, useUserShowQuery } from "../../api/generated/auth";
import { ago, minute, shown } from "../../kit/format";
import { RowButton } from "../../kit/RowButton";
import { ReasonDialog } from "../../kit/reason";
import { Loaded, Nothing } from "../../kit/states";
import { useMay } from "../../session/slice";

/** A user's sessions; each can be ended separately. */
export default function SessionsPanel({ loginId }: { loginId: string }) {
  const may = useMay();
  const query = useUserShowQuery({ loginId });
  const [end] = useUserEndSessionsMutation();
  const [chosen, setChosen] = useState<AuthUserSession>();
  const columns: Column<AuthUserSession>[] = [
    { key: "address", title: "登录地址", render: (session) => shown(session.remoteAddr) },
    { key: "seen", title: "最近活动", render: (session) => ago(session.lastSeenAt) },
    { key: "begun", title: "登录时间", secondary: true, render: (session) => minute(session.createdAt) },
    { key: "ends", title: "到期时间", secondary: true, render: (session) => minute(session.expiresAt) },
    ...(may("user.session")
      ? [
          {
            key: "end",
            title: "操作",
            render: (session: AuthUserSession) => (
              <RowButton
                text="结束"
                label={`结束来自 ${session.remoteAddr} 的会话`}
                danger
                onClick={() => setChosen(session)}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <Loaded query={query} what="登录会话">
      {({ sessions }) => (
        <>
          <DataTable
            caption="登录会话"
            columns={columns}
            rows={sessions}
            rowKey={(session) => session.id}
            empty={<Nothing title="当前没有登录会话" />}
          />
          <ReasonDialog
            ask={
              chosen && {
                title: "结束会话",
                note: `来自 ${chosen.remoteAddr} 的登录会立即失效。`,
                confirmText: "结束会话",
                danger: true,
                templates: ["用户申请下线", "疑似账号被盗用"],
                onConfirm: async (reason) => {
                  await end({ loginId, sessionId: chosen.id, reason }).unwrap();
                  toast.success("会话已结束");
                },
              }
            }
            onClose={() => setChosen(undefined)}
          />
        </>
      )}
    </Loaded>
  );
}
