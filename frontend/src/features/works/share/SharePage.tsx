import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { getConfig } from "@/api/config";
import { useMySharesQuery, useMyWorkDetailQuery, type WorksShare } from "@/calls/works";
import { useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { Pager } from "@/ui/Pager";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import type { Viewer } from "../../../../sdk/index.js";
import { LIST, MINE } from "../words";
import { ShareForm } from "./ShareForm";
import { ShareList } from "./ShareList";
import { ShareLooks } from "./ShareLooks";
import { SharePreview } from "./SharePreview";
import { ShareResult } from "./ShareResult";

const PAGE_SIZE = 20;

/** The user's shares: of one work, with the form for a new share, or of all works. */
export function SharePage({ worksId }: { worksId: string }) {
  const { loginId } = useSession();
  const [page, setPage] = useState(1);
  const asked = { userId: loginId, worksId, pageNo: page, pageSize: PAGE_SIZE };
  const list = useMySharesQuery(asked, { refetchOnMountOrArgChange: true });
  const { embedUrl } = getConfig();
  const header = (
    <PageHeader
      title={worksId ? "分享作品" : "我的分享"}
      note="分享的链接不需要登录就能打开；撤销后立即失效"
      actions={
        <Button component={Link} to={worksId ? LIST : MINE} variant="outlined" color="inherit">
          {worksId ? "作品列表" : "我的作品"}
        </Button>
      }
    />
  );
  if (!embedUrl)
    return (
      <>
        {header}
        <EmptyState title="本站没有开通分享" hint="管理员设置分享地址后即可使用。" />
      </>
    );
  return (
    <>
      {header}
      {list.isError && !list.isFetching && <ReadFailed what="分享" onRetry={() => void list.refetch()} />}
      {!list.isError && !list.data && <LinesSkeleton lines={8} />}
      {list.data && worksId && (
        <Builder
          worksId={worksId}
          shares={list.data.results ?? []}
          longest={list.data.longest}
          reading={list.isFetching}
          onMade={() => setPage(1)}
        />
      )}
      {list.data && !worksId && <ShareList shares={list.data.results ?? []} />}
      <Pager total={list.data?.totalCount ?? 0} page={page} pageSize={PAGE_SIZE} onPage={setPage} />
    </>
  );
}

function Builder({
  worksId,
  shares,
  longest,
  reading,
  onMade,
}: {
  worksId: string;
  shares: readonly WorksShare[];
  longest: number;
  /** the list is being refetched */
  reading: boolean;
  /** shows the first page, where the new share is listed first */
  onMade: () => void;
}) {
  const { loginId } = useSession();
  const read = useMyWorkDetailQuery({ userId: loginId, worksId });
  const work = read.data;
  const latest = shares.find(({ state }) => state === "open");
  // Undefined: the latest open share; empty: a new one.
  const [chosen, setChosen] = useState<string>();
  const share =
    chosen === undefined
      ? latest
      : shares.find(({ shareId, state }) => shareId === chosen && state === "open");
  const [viewer, setViewer] = useState<Viewer>();
  if (!work)
    return read.isError && !read.isFetching ? (
      <ReadFailed what="作品" onRetry={() => void read.refetch()} />
    ) : (
      <LinesSkeleton lines={8} />
    );
  if (work.state !== "published")
    return (
      <>
        <EmptyState title="作品还没有展示" hint="审核通过、正在展示的作品才能分享。" />
        {shares.length > 0 && <ShareList shares={shares} />}
      </>
    );
  if (chosen && !share && reading) return <LinesSkeleton lines={8} />;
  return (
    <Box sx={{ display: "grid", gap: 3, mb: 3 }}>
      <Box
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 400px" },
        }}
      >
        <Box sx={{ display: "grid", gap: 3, minWidth: 0 }}>
          {share ? (
            <>
              <SharePreview share={share} onViewer={setViewer} />
              <ShareResult share={share} />
            </>
          ) : (
            <EmptyState title="还没有链接" hint="选好选项，点“创建分享”，这里会出现预览、链接与代码。" />
          )}
        </Box>
        <Box sx={{ display: "grid", gap: 2 }}>
          <ShareForm
            key={share ? share.shareId : "new"}
            worksId={worksId}
            share={share}
            isPrivate={work.visibility === "private"}
            longest={longest}
            viewer={share && viewer}
            onMade={(shareId) => {
              onMade();
              setChosen(shareId);
            }}
          />
          {share && (
            <Button color="inherit" onClick={() => setChosen("")}>
              再建一个分享
            </Button>
          )}
          <Alert severity="info">
            撤销或到期后，链接与嵌入立即打不开；此前已经取得的模型地址会在 10 分钟内失效。
          </Alert>
        </Box>
      </Box>
      {share && <ShareLooks shareId={share.shareId} />}
      {shares.length > 0 && (
        <Panel title="这个作品的分享">
          <ShareList shares={shares} onChoose={setChosen} />
        </Panel>
      )}
    </Box>
  );
}
