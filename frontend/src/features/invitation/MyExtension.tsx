import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useState } from "react";
import { useIntegralInfoQuery } from "@/calls/personal";
import { CopyText } from "@/ui/CopyText";
import { dateText } from "@/ui/dateText";
import { ListPage, useListState } from "@/ui/list";
import { formatCents } from "@/ui/Price";
import { QrCode } from "@/ui/QrCode";
import { ReadFailed } from "@/ui/ReadFailed";
import { TableSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import { EnterCode } from "./EnterCode";
import { PointsDialog } from "./PointsDialog";
import { useExtension } from "./useExtension";
import { invitedState } from "./words";

function Card({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        p: 3,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        minWidth: 0,
      }}
    >
      {children}
    </Box>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box>
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>{label}</Box>
      <Box className="tabular" sx={{ mt: 0.5, fontSize: 24, lineHeight: "32px", fontWeight: 600 }}>
        {children}
      </Box>
    </Box>
  );
}

function Shared({ label, text }: { label: string; text: string }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box sx={{ mb: 0.5, fontSize: 13, color: "text.secondary" }}>{label}</Box>
      <Box sx={{ overflowWrap: "anywhere", fontWeight: 500 }}>
        <CopyText text={text} label={label} />
      </Box>
    </Box>
  );
}

/** The user's code as text, link and QR code, the invited users with the rewards, and the points. */
export function MyExtension() {
  const list = useListState();
  const extension = useExtension(list.page, list.pageSize);
  const points = useIntegralInfoQuery({ pageNo: 1, pageSize: 10 });
  const [records, setRecords] = useState(false);
  const [entered, setEntered] = useState(false);
  const [refusal, setRefusal] = useState("");
  const { data } = extension;
  if (!data)
    return extension.isError ? (
      <ReadFailed what="推广信息" onRetry={extension.refetch} />
    ) : (
      <TableSkeleton rows={4} columns={3} />
    );
  const link = new URL(data.inviteUrl, window.location.origin).href;
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      <Box
        sx={{
          display: "grid",
          gap: 3,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 3fr) minmax(0, 2fr)" },
        }}
      >
        <Card>
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 3 }}>
            <QrCode value={link} label="扫码注册" size={128} />
            <Box sx={{ display: "grid", gap: 2, alignContent: "start", flex: "1 1 220px", minWidth: 0 }}>
              <Shared label="推广码" text={data.inviteCode} />
              <Shared label="邀请链接" text={link} />
            </Box>
          </Box>
          <Box sx={{ mt: 2, fontSize: 13, color: "text.secondary" }}>
            {`好友注册后 7 天内填写推广码，首个模型通过体检后，双方各得 ${formatCents(data.rewardEach)} 元云币；每月最多奖励 ${data.monthLimit} 次。`}
          </Box>
        </Card>
        <Card>
          <Box sx={{ display: "grid", gap: 2.5, gridTemplateColumns: "1fr 1fr" }}>
            <Figure label="已邀请">{data.invitedCount}</Figure>
            <Figure label="本月已奖励">{`${data.monthCount}/${data.monthLimit}`}</Figure>
            <Figure label="累计奖励（元）">{formatCents(data.rewardTotal)}</Figure>
            <Figure label="积分">{points.data?.integral ?? 0}</Figure>
          </Box>
          <Button size="small" sx={{ mt: 1.5, px: 1, ml: -1 }} onClick={() => setRecords(true)}>
            积分记录
          </Button>
        </Card>
      </Box>
      {data.enterUntil && !entered && (
        <Card>
          <EnterCode
            until={data.enterUntil}
            onTaken={() => {
              setEntered(true);
              toast.success("推广码已填写");
            }}
            onRefused={(message) => {
              setRefusal(message);
              void extension.refetch();
            }}
          />
        </Card>
      )}
      {!data.enterUntil && refusal && <Alert severity="info">{refusal}</Alert>}
      <Card>
        <ListPage
          dense
          what="邀请的用户"
          query={extension}
          rows={data.records}
          total={data.totalCount}
          list={list}
          rowKey={(row) => `${row.phone}${row.createTime}`}
          columns={[
            { key: "phone", title: "用户", render: (row) => row.phone },
            { key: "time", title: "填写时间", secondary: true, render: (row) => dateText(row.createTime) },
            {
              key: "state",
              title: "状态",
              render: (row) => {
                const { text, tone } = invitedState(row.state);
                return <StatusTag tone={tone}>{text}</StatusTag>;
              },
            },
            { key: "reward", title: "奖励（元）", numeric: true, render: (row) => formatCents(row.reward) },
          ]}
          empty={{
            kind: "results",
            title: "还没有邀请到用户",
            hint: "把链接或二维码发给需要处理三维模型的同事。",
          }}
        />
      </Card>
      {records && <PointsDialog onClose={() => setRecords(false)} />}
    </Box>
  );
}
