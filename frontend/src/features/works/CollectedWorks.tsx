import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect } from "react";
import { Link } from "react-router";
import { useCollectWorkMutation, useMyCollectionQuery, type WorksCollectedWork } from "@/calls/works";
import { useSession } from "@/session";
import { CardsWaiting } from "@/ui/CardGrid";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import { Pager } from "@/ui/Pager";
import { ReadFailed } from "@/ui/ReadFailed";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { toast } from "@/ui/toast";
import { useQueryFields } from "@/ui/useQueryFields";
import { makerOf } from "./WorkCard";
import { HOME, typeName, workPath } from "./words";

const PAGE_SIZE = 20;

/** The works that one has collected; those that are not shown any more stay and say so. */
export function CollectedWorks() {
  const { loginId } = useSession();
  const [query, set] = useQueryFields();
  const page = Math.max(1, Number(query.get("page")) || 1);
  const list = useMyCollectionQuery(
    { userId: loginId, pageNo: page, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true },
  );
  const rows = list.currentData?.results ?? [];
  const last = Math.max(1, Math.ceil((list.currentData?.totalCount ?? 0) / PAGE_SIZE));
  const beyond = list.currentData !== undefined && page > last;
  // The last works of a page are gone: what comes before is shown.
  useEffect(() => {
    if (beyond) set({ page: last > 1 ? String(last) : undefined });
  }, [beyond, last, set]);
  if (list.isError && !list.isFetching)
    return <ReadFailed what="收藏的作品" onRetry={() => void list.refetch()} />;
  if (!list.currentData) return <CardsWaiting count={4} what="作品" />;
  if (rows.length === 0)
    return (
      <EmptyState
        title="还没有收藏作品"
        hint="在作品上点星形图标，就会收藏到这里。"
        action={
          <Button component={Link} to={HOME} variant="contained">
            去看作品
          </Button>
        }
      />
    );
  return (
    <>
      <Box
        component="ul"
        aria-label="收藏的作品"
        sx={{
          listStyle: "none",
          m: 0,
          p: 0,
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          bgcolor: "background.paper",
        }}
      >
        {rows.map((row) => (
          <Row key={row.card.id} row={row} />
        ))}
      </Box>
      <Pager
        total={list.currentData.totalCount}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={(n) => set({ page: n > 1 ? String(n) : undefined })}
      />
    </>
  );
}

function Row({ row: { card, addedAt, available } }: { row: WorksCollectedWork }) {
  const { loginId } = useSession();
  const [collect, { isLoading }] = useCollectWorkMutation();
  const name = card.name || "看不到的作品";
  async function forget() {
    try {
      await collect({ userId: loginId, worksId: card.id, operate: "CANCEL" }).unwrap();
      toast.success("已取消收藏");
    } catch {
      // the shared wrapper has told why
    }
  }
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        gap: 1.5,
        p: 1.5,
        alignItems: "center",
        "& + &": { borderTop: 1, borderColor: "divider" },
      }}
    >
      <Thumb src={available ? card.preview || card.pcPreview : ""} size={56} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        {available ? (
          <Box
            component={Link}
            to={workPath(card)}
            sx={{ color: "text.primary", fontWeight: 500, overflowWrap: "anywhere" }}
          >
            {name}
          </Box>
        ) : (
          <>
            <Box sx={{ overflowWrap: "anywhere" }}>{name}</Box>
            <StatusTag>已撤下或不再公开</StatusTag>
          </>
        )}
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>
          {[available ? `${typeName(card.type)} · ${makerOf(card)}` : "", `${dateText(addedAt)} 收藏`]
            .filter(Boolean)
            .join("　")}
        </Box>
      </Box>
      <Button
        size="small"
        color="inherit"
        disabled={isLoading}
        aria-label={`取消收藏 ${name}`}
        onClick={() => void forget()}
        sx={{ flex: "none" }}
      >
        取消收藏
      </Button>
    </Box>
  );
}
