import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { Link } from "react-router";
import type { TransactionListing, TransactionModelerPage } from "@/calls/transaction";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Thumb } from "@/ui/Thumb";
import { ModelerTabs } from "./Tabs";
import { usePage } from "./usePage";
import { MOST } from "./words";

/** The models in the public page's carousel, and their order. */
export function Swiper() {
  const { page, listings, ready, failed, retry, busy, save } = usePage();
  return (
    <>
      <PageHeader
        title="主页轮播"
        note={`从已上架的模型中选择，最多 ${MOST.carousel} 个，按顺序在公开作者页轮流展示`}
        actions={
          <Button component={Link} to="/workbench/modelMaker/setting" variant="outlined">
            横幅与介绍
          </Button>
        }
      />
      <ModelerTabs current="setting" />
      {failed ? (
        <ReadFailed what="主页轮播" onRetry={retry} />
      ) : !ready || !page ? (
        <LinesSkeleton lines={6} />
      ) : listings.length === 0 ? (
        <EmptyState
          title="还没有可以轮播的模型"
          hint="有模型上架后，就可以放到主页轮播。"
          action={
            <Button component={Link} to="/publishCenter" variant="contained">
              去发布中心
            </Button>
          }
        />
      ) : (
        <Choice
          page={page}
          listings={listings}
          busy={busy}
          onSave={(ids) => save({ carouselIds: ids.join(",") })}
        />
      )}
    </>
  );
}

function Choice({
  page,
  listings,
  busy,
  onSave,
}: {
  page: TransactionModelerPage;
  listings: readonly TransactionListing[];
  busy: boolean;
  onSave: (ids: readonly string[]) => Promise<void>;
}) {
  const known = new Map(listings.map((one) => [one.listingId, one]));
  // Drops models no longer in the mall.
  const [ids, setIds] = useState<readonly string[]>(page.carouselIds.filter((id) => known.has(id)));
  const left = listings.filter(({ listingId }) => !ids.includes(listingId));
  const move = (at: number, by: -1 | 1) => {
    const next = [...ids];
    const [one] = next.splice(at, 1);
    if (one !== undefined) next.splice(at + by, 0, one);
    setIds(next);
  };
  return (
    <Box sx={{ maxWidth: 720, display: "grid", gap: 2 }}>
      {ids.length === 0 ? (
        <EmptyState dense title="还没有选择模型" hint="不选择时，公开页面不显示轮播。" />
      ) : (
        <Box
          component="ol"
          aria-label="轮播的模型"
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
          {ids.map((id, at) => {
            const name = known.get(id)?.name ?? id;
            return (
              <Box
                component="li"
                key={id}
                sx={{
                  px: 2,
                  py: 1.25,
                  display: "flex",
                  flexWrap: "wrap",
                  alignItems: "center",
                  gap: 1.5,
                  "& + &": { borderTop: 1, borderColor: "divider" },
                }}
              >
                <Thumb src={known.get(id)?.thumbUrl} />
                <Box sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>{name}</Box>
                <Button
                  size="small"
                  disabled={at === 0}
                  aria-label={`上移 ${name}`}
                  onClick={() => move(at, -1)}
                >
                  上移
                </Button>
                <Button
                  size="small"
                  disabled={at === ids.length - 1}
                  aria-label={`下移 ${name}`}
                  onClick={() => move(at, 1)}
                >
                  下移
                </Button>
                <Button
                  size="small"
                  color="error"
                  aria-label={`移出 ${name}`}
                  onClick={() => setIds(ids.filter((other) => other !== id))}
                >
                  移出
                </Button>
              </Box>
            );
          })}
        </Box>
      )}
      <TextField
        select
        label="添加模型"
        value=""
        disabled={left.length === 0 || ids.length >= MOST.carousel}
        onChange={(event) => setIds([...ids, event.target.value])}
        helperText={`已选 ${ids.length} / ${MOST.carousel}`}
        slotProps={{ inputLabel: { shrink: true } }}
      >
        {left.map(({ listingId, name }) => (
          <MenuItem key={listingId} value={listingId}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      <Box>
        <Button variant="contained" loading={busy} onClick={() => void onSave(ids)}>
          保存
        </Button>
      </Box>
    </Box>
  );
}
