import Box from "@mui/material/Box";
import { type AuthSignIn, useListSignInsQuery } from "@/calls/auth";
import type { Column } from "@/ui/DataTable";
import { ListPage, useListState } from "@/ui/list";
import { Panel } from "@/ui/Panel";
import { StatusTag, type StatusTone } from "@/ui/StatusTag";
import { deviceText, methodText, timeText } from "./words";

const OUTCOMES: Readonly<Record<string, { text: string; tone: StatusTone }>> = {
  opened: { text: "成功", tone: "success" },
  wrongPassword: { text: "密码错误", tone: "danger" },
  wrongFactor: { text: "动态验证码错误", tone: "danger" },
};

const columns: readonly Column<AuthSignIn>[] = [
  {
    key: "at",
    title: "时间",
    render: ({ at, device, kind }) => (
      <>
        <Box component="span" sx={{ whiteSpace: "nowrap" }}>
          {timeText(at)}
        </Box>
        {/* On narrow screens the device has no column. */}
        <Box sx={{ display: { md: "none" }, fontSize: 12, color: "text.secondary" }}>
          {deviceText(device, kind)}
        </Box>
      </>
    ),
  },
  {
    key: "outcome",
    title: "结果",
    render: ({ outcome, newDevice }) => {
      const { text, tone } = OUTCOMES[outcome] ?? { text: "未完成", tone: "neutral" };
      return (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
          <StatusTag tone={tone}>{text}</StatusTag>
          {newDevice && <StatusTag tone="info">新设备</StatusTag>}
        </Box>
      );
    },
  },
  { key: "method", title: "方式", secondary: true, render: ({ method }) => methodText(method) },
  { key: "device", title: "设备", secondary: true, render: ({ device, kind }) => deviceText(device, kind) },
  { key: "address", title: "IP 地址", secondary: true, render: ({ remoteAddr }) => remoteAddr },
];

/** Sign-ins of the last 180 days, including refused ones, so that users can spot a stranger's. */
export function SignInsPanel() {
  const list = useListState({ pageSize: 10 });
  const signIns = useListSignInsQuery(list.request);
  return (
    <Panel title="最近登录">
      <Box sx={{ px: 2.5, pb: 1.5, fontSize: 12, color: "text.secondary" }}>
        最近 180 天的记录。有不是您本人的登录，请立即修改密码并退出其他设备。
      </Box>
      <ListPage
        dense
        what="登录记录"
        caption="最近登录"
        query={signIns}
        list={list}
        columns={columns}
        rowKey={({ at, remoteAddr, outcome }) => `${at} ${remoteAddr} ${outcome}`}
        empty={<Box sx={{ px: 2.5, pb: 2.5, color: "text.secondary" }}>最近 180 天没有登录记录</Box>}
      />
    </Panel>
  );
}
