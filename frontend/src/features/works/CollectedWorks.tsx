import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { useCollectWorkMutation, useMyCollectionQuery, type WorksCollectedWork } from "@/calls/works";
import { useSession } from "@/session";
import { CardsWaiting } from "@/ui/CardGrid";
import { dateText } from "@/ui/dateText";
import { ListPage, RowList, useListAddress } from "@/ui/list";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { toast } from "@/ui/toast";
import { makerOf } from "./WorkCard";
import { HOME, typeName, workPath } from "./words";

/** The user's collected works; those no longer public stay listed and say so. */
export function CollectedWorks() {
  const { loginId } = useSession();
  const list = useListAddress();
  const works = useMyCollectionQuery(
    { userId: loginId, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <ListPage
      what="收藏的作品"
      query={works}
      list={list}
      skeleton={<CardsWaiting count={4} what="作品" />}
      empty={{
        title: "还没有收藏作品",
        hint: "在作品上点星形图标，就会收藏到这里。",
        action: (
          <Button component={Link} to={HOME} variant="contained">
            去看作品
          </Button>
        ),
      }}
    >
      {(rows) => (
        <RowList label="收藏的作品">
          {rows.map((row) => (
            <Row key={row.card.id} row={row} />
          ))}
        </RowList>
      )}
    </ListPage>
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
      // already reported by the shared wrapper
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
