import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import {
  type AuthSessionInfo,
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useListSessionsQuery,
} from "@/calls/auth";
import { accountMessages as m } from "@/messages/account";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import { deviceText, methodText, timeText } from "./words";

/** The account's sessions; ends one of them or all others. */
export function SessionsPanel() {
  const sessions = useListSessionsQuery({});
  const [asked, setAsked] = useState<AuthSessionInfo | "others">();
  const [endOne] = useEndSessionMutation();
  const [endOthers] = useEndOtherSessionsMutation();
  const rows = sessions.data?.results ?? [];
  const others = rows.filter(({ current }) => !current).length;

  const end = async () => {
    if (asked === "others") {
      const answer = await endOthers({});
      if (answer.data) toast.success(m.sessionsEnded(answer.data.ended));
    } else if (asked) {
      const answer = await endOne({ sessionId: asked.id });
      if (!answer.error) toast.success(m.sessionEnded);
    }
    setAsked(undefined);
  };

  return (
    <Panel title="登录设备">
      {sessions.isLoading && (
        <Box sx={{ p: 2.5 }}>
          <LinesSkeleton lines={3} />
        </Box>
      )}
      {sessions.isError && <ReadFailed dense what="登录设备" onRetry={sessions.refetch} />}
      <Box component="ul" aria-label="登录设备" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {rows.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setAsked(session)} />
        ))}
      </Box>
      {others > 0 && (
        <Box sx={{ px: 2.5, py: 1.5, borderTop: 1, borderColor: "divider" }}>
          <Button size="small" variant="outlined" color="error" onClick={() => setAsked("others")}>
            退出其他设备
          </Button>
        </Box>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        title={asked === "others" ? "退出其他设备？" : "退出这个设备？"}
        confirmText="退出登录"
        danger
        onConfirm={end}
        onClose={() => setAsked(undefined)}
      >
        {asked === "others"
          ? `其他 ${others} 个设备需要重新登录，本机不受影响。`
          : asked && `${deviceText(asked.device, asked.kind)}（${asked.remoteAddr}）需要重新登录。`}
      </ConfirmDialog>
    </Panel>
  );
}

function SessionRow({ session, onEnd }: { session: AuthSessionInfo; onEnd: () => void }) {
  const device = deviceText(session.device, session.kind);
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 2,
        px: 2.5,
        py: 1.5,
        borderTop: 1,
        borderColor: "divider",
      }}
    >
      <DeviceDrawing kind={session.kind} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1 }}>
          <Box component="span" sx={{ fontWeight: 500, overflowWrap: "anywhere" }}>
            {device}
          </Box>
          {session.current && <StatusTag tone="success">本机</StatusTag>}
        </Box>
        <Box
          className="tabular"
          sx={{
            mt: 0.25,
            fontSize: 12,
            lineHeight: "18px",
            color: "text.secondary",
            overflowWrap: "anywhere",
          }}
        >
          {`${session.remoteAddr} · ${methodText(session.method)}于 ${timeText(session.firstAt)}`}
          {!session.current && ` · 最近使用 ${timeText(session.lastSeenAt)}`}
        </Box>
      </Box>
      {!session.current && (
        <Button
          size="small"
          variant="outlined"
          aria-label={`退出 ${device}`}
          onClick={onEnd}
          sx={{ flex: "none" }}
        >
          退出
        </Button>
      )}
    </Box>
  );
}

function DeviceDrawing({ kind }: { kind: string }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 24 24"
      aria-hidden="true"
      sx={{
        width: 28,
        height: 28,
        flex: "none",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 1.5,
        strokeLinejoin: "round",
        strokeLinecap: "round",
        color: "text.secondary",
      }}
    >
      {kind === "mobile" && (
        <path d="M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2" />
      )}
      {kind === "desktop" && <path d="M3 5h18v11H3zM9 20h6M12 16v4" />}
      {kind !== "mobile" && kind !== "desktop" && <path d="M3 5h18v14H3zM7 10l3 2.5L7 15M12 15h4" />}
    </Box>
  );
}
