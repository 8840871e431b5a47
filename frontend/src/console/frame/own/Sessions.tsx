import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import { FormDialog } from "@/ui/FormDialog";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import {
  type AuthOperatorSession,
  useOperatorEndSessionMutation,
  useOperatorSessionsQuery,
} from "../../api/generated/auth";
import { ago, minute, moment, shown } from "../../kit/format";
import { Card } from "../../kit/page";
import { RowButton } from "../../kit/RowButton";
import { Loaded, Nothing } from "../../kit/states";
import { Problem } from "./Problem";
import { useAct } from "./useAct";

/** One of the other sessions, or all of them. */
type Chosen = AuthOperatorSession | "others";

const nameOf = ({ remoteAddr, createdAt }: AuthOperatorSession) =>
  `来自 ${remoteAddr} 的登录（${moment(createdAt)}）`;

/** Where the operator is signed in; every session but this one can be ended. */
export function Sessions() {
  const query = useOperatorSessionsQuery({}, { refetchOnMountOrArgChange: true });
  const [chosen, setChosen] = useState<Chosen>();
  const columns: Column<AuthOperatorSession>[] = [
    {
      key: "address",
      title: "登录地址",
      render: ({ remoteAddr, current }) => (
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1 }}>
          <span className="text">{shown(remoteAddr)}</span>
          {current && <StatusTag tone="info">本次登录</StatusTag>}
        </Box>
      ),
    },
    // to the second: without a browser's name it is what tells two of one address apart
    { key: "begun", title: "登录时间", render: ({ createdAt }) => moment(createdAt) },
    { key: "seen", title: "最近活动", render: ({ lastSeenAt }) => ago(lastSeenAt) },
    { key: "ends", title: "到期时间", secondary: true, render: ({ expiresAt }) => minute(expiresAt) },
    {
      key: "end",
      title: "操作",
      render: (session) =>
        session.current ? (
          "—"
        ) : (
          <RowButton text="结束" label={`结束${nameOf(session)}`} danger onClick={() => setChosen(session)} />
        ),
    },
  ];
  const others = query.data?.sessions.some(({ current }) => !current);
  return (
    <Card
      title="我的登录"
      flush
      aside={
        others && (
          <Button size="small" variant="outlined" color="error" onClick={() => setChosen("others")}>
            结束其他登录
          </Button>
        )
      }
    >
      <Loaded query={query} what="登录">
        {({ sessions }) => (
          <DataTable
            caption="我的登录"
            columns={columns}
            rows={sessions}
            rowKey={({ id }) => id}
            cards
            empty={<Nothing title="没有登录" />}
          />
        )}
      </Loaded>
      {chosen && <EndDialog chosen={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  );
}

function EndDialog({ chosen, onClose }: { chosen: Chosen; onClose: () => void }) {
  const [end] = useOperatorEndSessionMutation();
  const { busy, problem, run } = useAct();
  const all = chosen === "others";
  return (
    <FormDialog
      title={all ? "结束其他登录" : "结束登录"}
      note={
        all
          ? "除本次登录外的其他登录会立即失效。"
          : `${nameOf(chosen)}会立即失效。如果不是您本人，请同时修改密码。`
      }
      confirmText="结束"
      danger
      busy={busy}
      onSubmit={() =>
        void run(async () => {
          await end({ id: all ? "" : chosen.id }).unwrap();
          toast.success(all ? "其他登录已结束" : "登录已结束");
          onClose();
        })
      }
      onClose={onClose}
    >
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}
