import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { useState } from "react";
import { Link } from "react-router";
import {
  usePersonalGetPersonalStatisticsByUserIdQuery,
  usePersonalQueryInfoQuery,
  useProcessCardListQuery,
  useProcessListFilesQuery,
} from "@/api";
import { GuidedTour } from "@/features/tour/GuidedTour";
import { greetingAt } from "@/features/workbench/greeting";
import { Panel } from "@/features/workbench/Panel";
import { RecentUploads } from "@/features/workbench/RecentUploads";
import { type Progress, RunningJobs } from "@/features/workbench/RunningJobs";
import { STORAGE_LIMIT, storageUse } from "@/features/workbench/storage";
import { useQueue } from "@/realtime";
import { useSession } from "@/session";
import { formatBytes } from "@/ui/bytes";
import { gradeOf, MemberBadge } from "@/ui/MemberBadge";

/** The server's longest page; storage is summed over it. */
const LIST_SIZE = 200;
const RECENT = 6;
/** Asked again this often while something is being worked on, in case no push arrives. */
const POLL_MS = 30_000;

const ACTIONS = [
  {
    title: "上传模型",
    note: "传完自动体检",
    to: "/workbench/myUpload?upload=1",
    icon: "M12 16V4M7 9l5-5 5 5M4 15v5h16v-5",
    main: true,
  },
  {
    title: "单模型轻量化",
    note: "减到想要的分量",
    to: "/workbench/service?serviceName=lightweight",
    icon: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM8 12h8M9 15.5h6M10 8.5h4",
  },
  {
    title: "格式转换",
    note: "换一种格式",
    to: "/workbench/service?serviceName=convert",
    icon: "M4 8h13l-3-3M20 16H7l3 3",
  },
  {
    title: "查看结果",
    note: "比较与下载",
    to: "/workbench/serviceResult",
    icon: "M5 3h10l4 4v14H5zM15 3v4h4M8.5 13l2.5 2.5L16 11",
  },
] as const;

function Actions() {
  return (
    <Box
      data-tour="actions"
      sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr 1fr", lg: "repeat(4, 1fr)" } }}
    >
      {ACTIONS.map((action) => {
        const main = "main" in action;
        return (
          <ButtonBase
            key={action.to}
            component={Link}
            to={action.to}
            disableRipple
            sx={{
              justifyContent: "flex-start",
              gap: 1.75,
              p: 2.25,
              textAlign: "left",
              borderRadius: 2,
              border: 1,
              borderColor: main ? "primary.main" : "divider",
              backgroundColor: main ? "primary.main" : "background.paper",
              color: main ? "#fff" : "text.primary",
              transition: "border-color 160ms ease-out, background-color 160ms ease-out",
              "&:hover": {
                borderColor: "primary.main",
                backgroundColor: main ? "primary.dark" : "background.paper",
              },
            }}
          >
            <svg
              width="24"
              height="24"
              viewBox="0 0 24 24"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.6"
              strokeLinejoin="round"
              strokeLinecap="round"
              aria-hidden="true"
              style={{ flex: "none" }}
            >
              <path d={action.icon} />
            </svg>
            <Box sx={{ minWidth: 0 }}>
              <Box sx={{ fontWeight: 500, fontSize: { xs: 14, sm: 16 }, lineHeight: "24px" }}>
                {action.title}
              </Box>
              <Box sx={{ fontSize: 12, lineHeight: "18px", color: main ? "#fff" : "text.secondary" }}>
                {action.note}
              </Box>
            </Box>
          </ButtonBase>
        );
      })}
    </Box>
  );
}

function Figure({ title, value, note }: { title: string; value: string; note?: string }) {
  return (
    <Box sx={{ p: { xs: 2, md: 2.5 }, minWidth: 0 }}>
      <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{title}</Box>
      <Box
        sx={{
          mt: 0.5,
          fontSize: 24,
          lineHeight: "32px",
          fontWeight: 600,
          fontVariantNumeric: "tabular-nums",
        }}
      >
        {value}
      </Box>
      {note && <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{note}</Box>}
    </Box>
  );
}

export default function WorkbenchHome() {
  const session = useSession();
  const skip = !session.signedIn;
  const [busy, setBusy] = useState(false);
  const poll = { skip, pollingInterval: busy ? POLL_MS : 0 };
  const user = usePersonalQueryInfoQuery({ userId: session.loginId }, { skip });
  const statistics = usePersonalGetPersonalStatisticsByUserIdQuery({}, { skip });
  const files = useProcessListFilesQuery({ pageNo: 1, pageSize: LIST_SIZE }, poll);
  const results = useProcessCardListQuery({ pageNo: 1, pageSize: 50 }, poll);

  const [progress, setProgress] = useState<Progress>({});

  useQueue("CHECK", (message) => {
    if (!skip && (message.status === "Success" || message.status === "Error")) {
      files.refetch();
      statistics.refetch();
    }
  });
  useQueue("SERVICE", (message) => {
    if (skip) return;
    const known = results.data?.results.some((result) => result.resultId === message.id);
    if (!known || message.status === "done" || message.status === "failed") {
      results.refetch();
      statistics.refetch();
    }
    setProgress((seen) => ({ ...seen, [message.id]: { percent: message.percent, tips: message.tips } }));
  });

  const listed = files.data?.results ?? [];
  const done = results.data?.results ?? [];
  const working =
    listed.some((file) => file.status === "checking") ||
    done.some((result) => result.status === "running" || result.status === "queued");
  if (working !== busy) setBusy(working);

  const grade = gradeOf(user.data?.memberGradeName, user.data?.memberStatus);
  const limit = STORAGE_LIMIT[grade];
  const use = storageUse(listed, Number(files.data?.totalCount ?? 0));
  const used = Math.min(100, (use.bytes / limit) * 100);
  const name = user.data?.nickName || session.nickname;
  const count = (value: unknown) => (value === undefined ? "—" : Number(value).toLocaleString("zh-CN"));

  return (
    <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        <Box component="h1" sx={{ m: 0, fontSize: 24, lineHeight: "34px", fontWeight: 600 }}>
          {greetingAt(new Date().getHours())}，{name}
        </Box>
        <MemberBadge grade={grade} />
      </Box>
      <Actions />
      <Box
        data-tour="figures"
        component="section"
        aria-label="用量"
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "repeat(3, minmax(0, 1fr))", lg: "1fr 1fr 1fr 1.6fr" },
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          backgroundColor: "background.paper",
          "& > * + *": { borderLeft: { lg: 1 }, borderColor: { lg: "divider" } },
        }}
      >
        <Figure title="上传的源文件" value={count(statistics.data?.myModelFiles?.totalUploads)} />
        <Figure title="我的模型" value={count(statistics.data?.myModels?.totalModels)} />
        <Figure title="服务结果" value={count(statistics.data?.myServiceResults?.totalCounts)} />
        <Box sx={{ p: 2.5, minWidth: 0, gridColumn: { xs: "1 / -1", lg: "auto" } }}>
          <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>源文件占用空间</Box>
          <Box
            sx={{
              mt: 0.5,
              fontSize: 24,
              lineHeight: "32px",
              fontWeight: 600,
              fontVariantNumeric: "tabular-nums",
            }}
          >
            {files.data ? `${use.atLeast ? "至少 " : ""}${formatBytes(use.bytes)}` : "—"}
            <Box component="span" sx={{ ml: 1, fontSize: 14, fontWeight: 400, color: "text.secondary" }}>
              / {formatBytes(limit)}
            </Box>
          </Box>
          <Box
            role="meter"
            aria-label="已用空间"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(used)}
            sx={{
              mt: 1,
              height: 6,
              borderRadius: 3,
              backgroundColor: "background.default",
              overflow: "hidden",
            }}
          >
            <Box
              sx={{
                height: "100%",
                width: `${used}%`,
                minWidth: use.bytes > 0 ? 4 : 0,
                borderRadius: 3,
                backgroundColor: used > 90 ? "warning.main" : "primary.main",
              }}
            />
          </Box>
        </Box>
      </Box>
      <Box
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0,1fr)", lg: "minmax(0,1.9fr) minmax(0,1fr)" },
        }}
      >
        <Panel title="最近上传" more={{ text: "全部", to: "/workbench/myUpload" }} tour="recent">
          <RecentUploads
            files={listed.slice(0, RECENT)}
            loading={files.isLoading}
            failed={files.isError}
            onRetry={files.refetch}
          />
        </Panel>
        <Panel title="正在处理" more={{ text: "全部结果", to: "/workbench/serviceResult" }} tour="jobs">
          <RunningJobs files={listed} results={done} progress={progress} loading={results.isLoading} />
        </Panel>
      </Box>
      <GuidedTour name="workbench" />
    </Box>
  );
}
