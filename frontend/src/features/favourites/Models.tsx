import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import { useState } from "react";
import { Link } from "react-router";
import {
  type TransactionFavouriteModel,
  useFavouriteFoldersQuery,
  useFavouriteListQuery,
  useMoveFavouritesMutation,
  useRemoveFavouritesMutation,
} from "@/calls/transaction";
import { useSession } from "@/session";
import { modelPath } from "@/shop/paths";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { dateText } from "@/ui/dateText";
import { ListPage, RowList, SearchFilter, useListAddress } from "@/ui/list";
import { formatCents } from "@/ui/Price";
import { LinesSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { toast } from "@/ui/toast";
import { FolderChoice } from "./FolderChoice";
import { MALL } from "./paths";

/** Favourites of one folder, or of all: search, move, remove. Page and keyword are stored in the address. */
export function Models({ folderId = "" }: { folderId?: string }) {
  const { loginId } = useSession();
  const list = useListAddress({ fields: ["keyword"] });
  const models = useFavouriteListQuery(
    { userId: loginId, folderId, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const rows = models.currentData?.results ?? [];
  const ids = rows.map(({ listing }) => listing.listingId);
  const those = chosen.filter((id) => ids.includes(id));

  return (
    <ListPage
      what="收藏的模型"
      query={models}
      list={list}
      filters={
        <>
          <SearchFilter list={list} name="keyword" label="按名称查找" maxLength={64} />
          {rows.length > 0 && (
            <Acts
              folderId={folderId}
              chosen={those}
              onAll={(all) => setChosen(all ? ids : [])}
              all={those.length === ids.length}
              onDone={() => setChosen([])}
            />
          )}
        </>
      }
      skeleton={<LinesSkeleton lines={8} />}
      empty={{
        title: "还没有收藏模型",
        hint: "在商城里点模型上的心形图标，就会收藏到这里。",
        action: (
          <Button component={Link} to={MALL} variant="contained">
            去模型商城
          </Button>
        ),
      }}
      emptyFiltered={{ title: "没有相符的模型", hint: "换一个名称再找。" }}
    >
      {(shown) => (
        <RowList label="收藏的模型">
          {shown.map((row) => (
            <Row
              key={row.listing.listingId}
              row={row}
              chosen={those.includes(row.listing.listingId)}
              onTurn={(id, on) => setChosen(on ? [...those, id] : those.filter((one) => one !== id))}
            />
          ))}
        </RowList>
      )}
    </ListPage>
  );
}

/** Selects all, moves and removes the selected models. */
function Acts({
  folderId,
  chosen,
  all,
  onAll,
  onDone,
}: {
  folderId: string;
  chosen: readonly string[];
  all: boolean;
  onAll: (all: boolean) => void;
  onDone: () => void;
}) {
  const { loginId } = useSession();
  const folders = useFavouriteFoldersQuery({ userId: loginId }, { skip: !folderId });
  const others = folders.data?.results.filter((one) => one.folderId !== folderId) ?? [];
  const [move] = useMoveFavouritesMutation();
  const [remove] = useRemoveFavouritesMutation();
  const [asked, setAsked] = useState<"move" | "remove">();
  const [target, setTarget] = useState("");
  const modelIds = chosen.join(",");

  async function act(done: Promise<unknown>, text: string) {
    try {
      await done;
    } catch {
      // already reported by the shared wrapper
      return;
    }
    toast.success(text);
    setAsked(undefined);
    onDone();
  }
  return (
    <>
      <Box component="label" sx={{ display: "flex", alignItems: "center", fontSize: 14 }}>
        <Checkbox
          size="small"
          checked={all}
          indeterminate={!all && chosen.length > 0}
          onChange={(event) => onAll(event.target.checked)}
        />
        全选本页
      </Box>
      {folderId && (
        <Button
          variant="outlined"
          color="inherit"
          disabled={chosen.length === 0 || others.length === 0}
          onClick={() => {
            setTarget(others[0]?.folderId ?? "");
            setAsked("move");
          }}
        >
          移动到…
        </Button>
      )}
      <Button
        variant="outlined"
        color="inherit"
        disabled={chosen.length === 0}
        onClick={() => setAsked("remove")}
      >
        取消收藏
      </Button>
      <ConfirmDialog
        open={asked === "move"}
        title={`移动 ${chosen.length} 个模型`}
        confirmText="移动"
        onClose={() => setAsked(undefined)}
        onConfirm={() =>
          act(move({ userId: loginId, modelIds, folderId, moveToId: target }).unwrap(), "已移动")
        }
      >
        <FolderChoice
          folders={folders.data?.results ?? []}
          without={folderId}
          value={target}
          onChange={setTarget}
        />
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === "remove"}
        title={`取消收藏 ${chosen.length} 个模型`}
        confirmText="取消收藏"
        cancelText="再想想"
        danger
        onClose={() => setAsked(undefined)}
        onConfirm={() => act(remove({ userId: loginId, modelIds, folderId }).unwrap(), "已取消收藏")}
      >
        {folderId ? "它们会从这个收藏夹移出，其他收藏夹里的不变。" : "它们会从所有收藏夹移出。"}
      </ConfirmDialog>
    </>
  );
}

function Row({
  row: { listing, addedAt, available, reason },
  chosen,
  onTurn,
}: {
  row: TransactionFavouriteModel;
  chosen: boolean;
  onTurn: (id: string, on: boolean) => void;
}) {
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
      <Checkbox
        size="small"
        checked={chosen}
        onChange={(event) => onTurn(listing.listingId, event.target.checked)}
        slotProps={{ input: { "aria-label": `选择 ${listing.name}` } }}
      />
      <Thumb src={listing.thumbUrl} size={56} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        {available ? (
          <Box
            component={Link}
            to={modelPath(listing.listingId)}
            sx={{ color: "text.primary", fontWeight: 500, overflowWrap: "anywhere" }}
          >
            {listing.name}
          </Box>
        ) : (
          <>
            <Box sx={{ overflowWrap: "anywhere" }}>{listing.name}</Box>
            <StatusTag>{reason}</StatusTag>
          </>
        )}
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>{`${dateText(addedAt)} 收藏`}</Box>
      </Box>
      {available && (
        <Box sx={{ flex: "none", fontVariantNumeric: "tabular-nums" }}>
          {listing.price > 0 ? `¥${formatCents(listing.price)}` : "免费"}
        </Box>
      )}
    </Box>
  );
}
