import Box from "@mui/material/Box";
import { GuidedTour } from "@/features/tour";
import { Actions, greetingAt, RecentUploads, RunningJobs, Usage, useWorkbench } from "@/features/workbench";
import { MemberBadge } from "@/ui/MemberBadge";
import { Panel } from "@/ui/Panel";

/** Number of recent uploads shown. */
const RECENT = 6;

export default function WorkbenchHome() {
  const { name, grade, storage, statistics, models, files, listed, done, results, progress } = useWorkbench();
  return (
    <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        <Box component="h1" sx={{ m: 0, fontSize: 24, lineHeight: "34px", fontWeight: 600 }}>
          {greetingAt(new Date().getHours())}，{name}
        </Box>
        <MemberBadge grade={grade} />
      </Box>
      <Actions />
      <Usage
        counts={{
          files: statistics?.myModelFiles?.totalUploads,
          models,
          results: statistics?.myServiceResults?.totalCounts,
        }}
        storage={storage}
      />
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
