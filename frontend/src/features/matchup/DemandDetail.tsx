import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import {
  type MatchupDemand,
  useCloseDemandMutation,
  useDemandDetailQuery,
  useWithdrawDemandMutation,
} from "@/calls/matchup";
import { formatBytes } from "@/ui/bytes";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { dayOf } from "@/ui/numbers";
import { Panel } from "@/ui/Panel";
import { StatusTag } from "@/ui/StatusTag";
import { safeHref } from "@/ui/safeHref";
import { toast } from "@/ui/toast";
import { useTitle } from "@/ui/useTitle";
import { Wide } from "@/ui/Wide";
import { Mark } from "./Cards";
import { OfferPanel } from "./OfferPanel";
import { Offers } from "./Offers";
import { Ratings } from "./Ratings";
import {
  AGREEMENT,
  budgetText,
  DEMAND_STATES,
  DEMANDS,
  editPath,
  isEditable,
  starsText,
  untilText,
  wordOf,
} from "./words";

/** One demand, with the actions available to the viewer. */
export function DemandDetail() {
  const [query] = useSearchParams();
  const demandId = query.get("demandId")?.slice(0, 32) ?? "";
  const { currentData, isError, refetch } = useDemandDetailQuery(
    { demandId },
    { skip: !demandId, refetchOnMountOrArgChange: true },
  );
  useTitle(currentData?.title);
  if (!demandId || (isError && !currentData)) {
    return (
      <EmptyState
        heading="h1"
        kind="search"
        title="没有看到这个需求"
        hint="它可能已撤回、已选定，或网络中断。"
        action={
          <>
            {demandId && <Button onClick={() => void refetch()}>重试</Button>}
            <Button component={Link} to={DEMANDS} variant="contained">
              去需求市场
            </Button>
          </>
        }
      />
    );
  }
  return <Wide>{currentData ? <Detail demand={currentData} /> : <Waiting />}</Wide>;
}

function Waiting() {
  return (
    <Box role="status" aria-label="正在加载需求">
      <Skeleton variant="text" sx={{ width: "60%", fontSize: 28 }} />
      <Skeleton variant="rounded" height={320} sx={{ mt: 3 }} />
    </Box>
  );
}

function Detail({ demand }: { demand: MatchupDemand }) {
  const state = wordOf(DEMAND_STATES, demand.state);
  const between = demand.state === "chosen" || demand.state === "closed";
  const side = demand.mine || demand.offer?.state === "chosen";
  return (
    <>
      <Box sx={{ mb: 3 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", mb: 1 }}>
          <StatusTag tone={state.tone}>{state.text}</StatusTag>
          {demand.category && <Mark>{demand.category}</Mark>}
          {demand.industry && (
            <Box component="span" sx={{ fontSize: 13, color: "text.secondary" }}>
              {demand.industry}
            </Box>
          )}
        </Box>
        <Box
          component="h1"
          sx={{
            m: 0,
            fontSize: { xs: 20, md: 24 },
            lineHeight: 1.4,
            fontWeight: 600,
            overflowWrap: "anywhere",
          }}
        >
          {demand.title || "未填写标题"}
        </Box>
      </Box>
      <Box
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 340px" },
        }}
      >
        <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Panel title="需求说明">
            <Box sx={{ px: 2.5, pb: 2.5, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {demand.content || "还没有填写"}
            </Box>
          </Panel>
          {demand.files.length > 0 && <Files demand={demand} />}
          {demand.mine && !isEditable(demand.state) && demand.state !== "review" && (
            <Offers demand={demand} />
          )}
          {side && demand.state === "closed" && <Ratings demand={demand} />}
        </Box>
        <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <About demand={demand} />
          {demand.mine ? <OwnerActs demand={demand} /> : <OfferPanel demand={demand} />}
          {side && between && <Between demand={demand} />}
        </Box>
      </Box>
    </>
  );
}

function About({ demand }: { demand: MatchupDemand }) {
  const stars = starsText(demand.ratingCount, demand.ratingSum);
  const facts = [
    ["预算", budgetText(demand)],
    ["截止", untilText(demand)],
    ["发布者", `${demand.nickname}${demand.certified ? "（已认证）" : ""}`],
    ["评价", stars],
    ["报价", demand.example ? "" : `${demand.offerCount} 份`],
    ["附件", demand.fileCount > 0 ? `${demand.fileCount} 个，选定后对服务商开放` : "无"],
    ["发布时间", demand.openedAt > 0 ? dayOf(demand.openedAt) : ""],
  ].filter(([, value]) => value);
  return (
    <Panel title="要点">
      <Box
        component="dl"
        sx={{
          m: 0,
          px: 2.5,
          pb: 2.5,
          display: "grid",
          gridTemplateColumns: "72px minmax(0, 1fr)",
          gap: 1,
          "& dt": { color: "text.secondary" },
          "& dd": { m: 0, overflowWrap: "anywhere" },
        }}
      >
        {facts.map(([name, value]) => (
          <Box key={name} sx={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd className="tabular">{value}</dd>
          </Box>
        ))}
      </Box>
    </Panel>
  );
}

function Files({ demand }: { demand: MatchupDemand }) {
  return (
    <Panel title="附件">
      <Box component="ul" sx={{ listStyle: "none", m: 0, px: 2.5, pb: 2.5, display: "grid", gap: 1 }}>
        {demand.files.map((file) => (
          <Box component="li" key={file.fileId} sx={{ display: "flex", gap: 1.5, alignItems: "baseline" }}>
            <Box
              component="a"
              href={safeHref(file.url)}
              download={file.name}
              sx={{ flex: 1, minWidth: 0, color: "primary.main", overflowWrap: "anywhere" }}
            >
              {file.name}
            </Box>
            <Box className="tabular" sx={{ flex: "none", fontSize: 12, color: "text.secondary" }}>
              {formatBytes(file.bytes)}
            </Box>
          </Box>
        ))}
      </Box>
    </Panel>
  );
}

/** The owner's actions. */
function OwnerActs({ demand }: { demand: MatchupDemand }) {
  const [asked, setAsked] = useState(false);
  const [withdraw] = useWithdrawDemandMutation();
  const running = demand.state === "open" || demand.state === "review";
  if (!running && !demand.reason && !isEditable(demand.state)) return null;
  return (
    <Panel title="我的需求">
      <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 1.5 }}>
        {demand.reason && (
          <Box role="note" sx={{ color: "error.main", overflowWrap: "anywhere" }}>
            {`原因：${demand.reason}`}
          </Box>
        )}
        {demand.state === "review" && <Box>正在审核。通过后进入需求市场，结果会发到消息中心。</Box>}
        {isEditable(demand.state) && (
          <Button component={Link} to={editPath(demand.demandId)} variant="contained">
            修改并提交
          </Button>
        )}
        {running && (
          <Button variant="outlined" color="inherit" onClick={() => setAsked(true)}>
            撤回需求
          </Button>
        )}
        <ConfirmDialog
          open={asked}
          title="撤回这个需求？"
          confirmText="撤回"
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            const answer = await withdraw({ demandId: demand.demandId });
            if (!answer.error) toast.success("已撤回");
            setAsked(false);
          }}
        >
          撤回后不再展示，收到的报价随之失效，报价的服务商会收到消息。修改后可以再次提交。
        </ConfirmDialog>
      </Box>
    </Panel>
  );
}

/** Contact data shown to both sides once an offer was chosen. */
function Between({ demand }: { demand: MatchupDemand }) {
  const [asked, setAsked] = useState(false);
  const [close] = useCloseDemandMutation();
  return (
    <Panel title={demand.mine ? "服务商的联系方式" : "发布者的联系方式"}>
      <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 1.5 }}>
        <Box sx={{ fontSize: 16, fontWeight: 600, overflowWrap: "anywhere" }}>
          {demand.contact || (demand.offer ? "对方没有留下联系方式" : "对方已注销账号")}
        </Box>
        <Box sx={{ fontSize: 13, lineHeight: "20px", color: "text.secondary" }}>{AGREEMENT}</Box>
        {demand.state === "chosen" && (
          <Button variant="outlined" onClick={() => setAsked(true)}>
            结束对接
          </Button>
        )}
        <ConfirmDialog
          open={asked}
          title="结束这次对接？"
          confirmText="结束对接"
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            const answer = await close({ demandId: demand.demandId });
            if (!answer.error) toast.success("对接已结束，可以评价对方");
            setAsked(false);
          }}
        >
          交付完成、或双方不再合作时结束。结束后不能恢复，双方可以互相评价。
        </ConfirmDialog>
      </Box>
    </Panel>
  );
}
