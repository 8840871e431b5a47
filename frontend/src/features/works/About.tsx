import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { useReportWorkMutation, type WorksWorkDetailReply } from "@/calls/works";
import { Avatar } from "@/features/avatar";
import { FollowButton } from "@/features/concern";
import { worksOf } from "@/lib/paths";
import { touches } from "@/lib/pointer";
import { useSession } from "@/session";
import { formatBytes } from "@/ui/bytes";
import { CertifiedBadge, markOf } from "@/ui/CertifiedBadge";
import { dayOf, shortCount } from "@/ui/numbers";
import { QrCode } from "@/ui/QrCode";
import { StatusTag } from "@/ui/StatusTag";
import { startDownload } from "@/ui/startDownload";
import { toast } from "@/ui/toast";
import { Marks } from "./Marks";
import { ReportDialog } from "./ReportDialog";
import { useLoginFirst } from "./useMark";
import { makerOf } from "./WorkCard";
import { editPath, labelPath, stateWord, typeName, visibilityText, workPath } from "./words";

/** Uses the phone's share sheet if available; else copies the address. */
async function pass(name: string, url: string): Promise<void> {
  try {
    if (touches() && "share" in navigator) {
      await navigator.share({ title: name, url });
      return;
    }
    await navigator.clipboard.writeText(url);
    toast.success("链接已复制");
  } catch (error) {
    // The user closed the share sheet: nothing to report.
    if ((error as Error).name !== "AbortError") toast.warning("链接没有复制成功，请从地址栏复制");
  }
}

/** Beside the stage: facts, author and actions of a work. */
export function About({ detail }: { detail: WorksWorkDetailReply }) {
  const { card, model, mine, state, visibility } = detail;
  const address = `${window.location.origin}${workPath(card)}`;
  const numbers = [
    `${shortCount(card.browseNumber)} 次浏览`,
    card.releaseTime > 0 ? `${dayOf(card.releaseTime)} 发布` : "",
  ];
  const facts = [
    model?.triangles ? `${model.triangles.toLocaleString("zh-CN")} 三角面` : "",
    model?.bytes ? formatBytes(model.bytes) : "",
    model?.animation ? "有动画" : "",
  ];
  return (
    <Box
      component="aside"
      aria-label="作品信息"
      sx={{ position: { md: "sticky" }, top: 88, display: "grid", gap: 2, minWidth: 0 }}
    >
      <Box>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mb: 1 }}>
          <StatusTag tone="info">{typeName(card.type)}</StatusTag>
          {card.industryName && <StatusTag>{card.industryName}</StatusTag>}
          {mine && state !== "published" && (
            <StatusTag tone={stateWord(state).tone}>{stateWord(state).text}</StatusTag>
          )}
          {visibility !== "public" && <StatusTag tone="warning">{visibilityText(visibility)}</StatusTag>}
        </Box>
        <Box
          component="h1"
          sx={{ m: 0, fontSize: 24, lineHeight: "32px", fontWeight: 600, overflowWrap: "anywhere" }}
        >
          {card.name}
        </Box>
        <Box className="tabular" sx={{ mt: 1, fontSize: 13, color: "text.secondary" }}>
          {numbers.filter(Boolean).join("　")}
        </Box>
        <Box className="tabular" sx={{ fontSize: 13, color: "text.secondary" }}>
          {facts.filter(Boolean).join("　")}
        </Box>
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        <Marks card={card} />
        <Button variant="outlined" color="inherit" onClick={() => void pass(card.name, address)}>
          分享
        </Button>
        {model?.downloadUrl && (
          <Button variant="outlined" color="inherit" onClick={() => startDownload(model.downloadUrl)}>
            下载模型
          </Button>
        )}
      </Box>
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1.5,
          p: 1.5,
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          backgroundColor: "background.paper",
        }}
      >
        <Avatar url={card.avatar} name={makerOf(card)} size={44} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box
            component={Link}
            to={worksOf(card.userId)}
            sx={{
              display: "block",
              fontWeight: 500,
              color: "text.primary",
              overflow: "hidden",
              textOverflow: "ellipsis",
              whiteSpace: "nowrap",
            }}
          >
            {makerOf(card)}
          </Box>
          <CertifiedBadge as={markOf(card.certified)} />
        </Box>
        {mine ? (
          <Button component={Link} to={editPath(card.id)} variant="outlined">
            编辑作品
          </Button>
        ) : (
          <FollowButton light targetId={card.userId} />
        )}
      </Box>
      {card.labels.length > 0 && (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
          {card.labels.map((label) => (
            <Box
              component={Link}
              key={label}
              to={labelPath(label)}
              sx={{
                px: 1.25,
                lineHeight: "28px",
                borderRadius: 1,
                fontSize: 13,
                color: "text.primary",
                textDecoration: "none",
                backgroundColor: "action.hover",
                "&:hover": { color: "primary.main" },
              }}
            >
              {label}
            </Box>
          ))}
        </Box>
      )}
      {card.type !== 1 && (
        <Box sx={{ display: { xs: "none", md: "block" } }}>
          <QrCode value={`${window.location.origin}${card.code || workPath(card)}`} label="用手机查看" />
        </Box>
      )}
      {!mine && <ReportButton worksId={card.id} />}
    </Box>
  );
}

function ReportButton({ worksId }: { worksId: string }) {
  const { loginId } = useSession();
  const loginFirst = useLoginFirst();
  const [report] = useReportWorkMutation();
  const [open, setOpen] = useState(false);
  return (
    <Box>
      <Button
        size="small"
        color="inherit"
        onClick={() => loginFirst() || setOpen(true)}
        sx={{ ml: -0.75, color: "text.secondary" }}
      >
        举报作品
      </Button>
      {open && (
        <ReportDialog
          what="作品"
          send={(what) => report({ userId: loginId, worksId, ...what }).unwrap()}
          onClose={() => setOpen(false)}
        />
      )}
    </Box>
  );
}
