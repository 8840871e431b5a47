import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { useListingCountsQuery, useMyListingsQuery } from "@/calls/listings";
import { useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { Frozen } from "./Frozen";
import { detailsPath, stateWord } from "./words";

const FIGURES = [
  ["draft", "待完善", "/publishCenter/toBeReleased?state=draft"],
  ["submitted", "审核中", "/publishCenter/toBeReleased?state=submitted"],
  ["rejected", "已退回", "/publishCenter/toBeReleased?state=rejected"],
  ["listed", "已上架", "/publishCenter/toBeReleased?isRelase=true&state=listed"],
] as const;
const LATEST = 5;

/** The publish centre: number of listings by state, and the latest ones. */
export function PublishHome() {
  const { loginId } = useSession();
  const counts = useListingCountsQuery({ userId: loginId }, { refetchOnMountOrArgChange: true });
  const latest = useMyListingsQuery(
    { userId: loginId, isRelase: "false", pageNo: 1, pageSize: LATEST },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <>
      <Frozen />
      <PageHeader
        title="发布中心"
        note="上传源文件，体检通过后补全资料、提交审核，通过后在商城上架"
        actions={
          <>
            <Button component={RouterLink} to="/workbench/modelMaker" variant="outlined">
              模型师中心
            </Button>
            <Button component={RouterLink} to="/publishCenter/mySourceFiles?upload=1" variant="contained">
              上传模型
            </Button>
          </>
        }
      />
      <Box
        sx={{
          mb: 3,
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", md: "repeat(4, minmax(0, 1fr))" },
        }}
      >
        {FIGURES.map(([state, name, to]) => (
          <Box
            key={state}
            component={RouterLink}
            to={to}
            sx={{
              p: 2.5,
              border: 1,
              borderColor: "divider",
              borderRadius: 2,
              bgcolor: "background.paper",
              color: "text.primary",
              textDecoration: "none",
              "&:hover, &:focus-visible": { borderColor: "primary.main" },
            }}
          >
            <Box component="span" sx={{ display: "block", fontSize: 13, color: "text.secondary" }}>
              {name}
            </Box>
            <Box
              component="span"
              className="tabular"
              sx={{ fontSize: 24, lineHeight: "32px", fontWeight: 600 }}
            >
              {counts.data ? Number(counts.data.counts[state] ?? 0).toLocaleString("zh-CN") : "—"}
            </Box>
          </Box>
        ))}
      </Box>
      <Panel title="最近编辑" more={{ text: "查看全部", to: "/publishCenter/toBeReleased" }}>
        {latest.isError && !latest.isFetching ? (
          <ReadFailed dense what="模型列表" onRetry={() => void latest.refetch()} />
        ) : !latest.data ? (
          <Box sx={{ px: 2.5, pb: 2 }}>
            <LinesSkeleton lines={LATEST} />
          </Box>
        ) : latest.data.results.length === 0 ? (
          <EmptyState
            dense
            title="没有待发布的模型"
            hint="体检通过的源文件发布后，就会出现在这里。"
            action={
              <Button component={RouterLink} to="/publishCenter/procedSourceFile" variant="outlined">
                选择源文件
              </Button>
            }
          />
        ) : (
          <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
            {latest.data.results.map(({ listing, reason, ...row }) => (
              <Box
                component="li"
                key={listing.listingId}
                sx={{
                  px: 2.5,
                  py: 1.25,
                  display: "flex",
                  alignItems: "center",
                  gap: 1.5,
                  borderTop: 1,
                  borderColor: "divider",
                }}
              >
                <Thumb src={listing.thumbUrl} />
                <Box sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
                  <Link component={RouterLink} to={detailsPath(listing.listingId)}>
                    {listing.name}
                  </Link>
                  {reason && <Box sx={{ fontSize: 12, color: "error.main" }}>{reason}</Box>}
                </Box>
                <StatusTag tone={stateWord(row).tone}>{stateWord(row).text}</StatusTag>
              </Box>
            ))}
          </Box>
        )}
      </Panel>
    </>
  );
}
