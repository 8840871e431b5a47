import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MuiLink from "@mui/material/Link";
import { useState } from "react";
import { Link } from "react-router";
import { useRevokeShareMutation, type WorksShare } from "@/calls/works";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { type Column, DataTable } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import { sharePath } from "../words";
import { stateOf } from "./shareRules";

/** Shares with their limits; `onChoose`: all are of one work, and one can be edited beside the list. */
export function ShareList({
  shares,
  onChoose,
}: {
  shares: readonly WorksShare[];
  onChoose?: (shareId: string) => void;
}) {
  const { loginId } = useSession();
  const [revoke, { isLoading }] = useRevokeShareMutation();
  const [asked, setAsked] = useState<WorksShare>();

  async function confirmed({ shareId }: WorksShare) {
    try {
      await revoke({ userId: loginId, shareId }).unwrap();
      toast.success("已撤销，链接已经失效");
    } catch {
      // already reported by the shared wrapper
    }
    setAsked(undefined);
  }

  const columns: Column<WorksShare>[] = [
    {
      key: "work",
      title: onChoose ? "创建时间" : "作品",
      render: ({ worksId, worksName, createdAt }) =>
        onChoose ? (
          <Box component="span" className="tabular" sx={{ whiteSpace: "nowrap" }}>
            {dateText(createdAt)}
          </Box>
        ) : (
          <MuiLink component={Link} to={sharePath(worksId)} sx={{ overflowWrap: "anywhere" }}>
            {worksName || "未命名作品"}
          </MuiLink>
        ),
    },
    {
      key: "state",
      title: "状态",
      render: ({ state }) => <StatusTag tone={stateOf(state).tone}>{stateOf(state).text}</StatusTag>,
    },
    {
      key: "limits",
      title: "限制",
      render: (share) => (
        <Box sx={{ fontSize: 13, color: "text.secondary", minWidth: 140 }}>{limitsOf(share)}</Box>
      ),
    },
    {
      key: "views",
      title: "访问",
      numeric: true,
      render: ({ views, maxViews }) => (maxViews ? `${views} / ${maxViews}` : views.toLocaleString("zh-CN")),
    },
    {
      key: "act",
      title: "操作",
      render: (share) => {
        if (share.state === "revoked") return null;
        const name = `${share.worksName} ${dateText(share.createdAt)}`;
        return (
          <Box sx={{ display: "flex", gap: 0.5, whiteSpace: "nowrap" }}>
            {onChoose && share.state === "open" && (
              <Button size="small" aria-label={`设置 ${name}`} onClick={() => onChoose(share.shareId)}>
                设置
              </Button>
            )}
            <Button
              size="small"
              color="error"
              disabled={isLoading}
              aria-label={`撤销 ${name}`}
              onClick={() => setAsked(share)}
            >
              撤销
            </Button>
          </Box>
        );
      },
    },
  ];
  return (
    <>
      <Box
        sx={
          onChoose
            ? undefined
            : {
                border: 1,
                borderColor: "divider",
                borderRadius: 2,
                bgcolor: "background.paper",
                overflow: "hidden",
              }
        }
      >
        <DataTable
          caption="分享列表"
          columns={columns}
          rows={shares}
          rowKey={({ shareId }) => shareId}
          empty={<EmptyState title="还没有分享" hint="在作品列表里，对展示中的作品点“分享”。" />}
        />
      </Box>
      {asked && (
        <ConfirmDialog
          open
          title="撤销这个分享"
          confirmText="撤销"
          danger
          onConfirm={() => confirmed(asked)}
          onClose={() => setAsked(undefined)}
        >
          链接与嵌入立即打不开，不能恢复；此前已经取得的模型地址会在 10 分钟内失效。
        </ConfirmDialog>
      )}
    </>
  );
}

function limitsOf({ hasPassword, endsAt, domains = [], framed }: WorksShare): string {
  const parts = [
    hasPassword ? "有密码" : "",
    endsAt ? `${dateText(endsAt)} 截止` : "不限期",
    domains.length > 0 ? `限 ${domains.length} 个域名嵌入` : framed ? "" : "不可嵌入",
  ];
  return parts.filter(Boolean).join("，");
}
