import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useState } from "react";
import { Link as RouterLink } from "react-router";
import { type TransactionMakerListing, useListingCountsQuery, useMyListingsQuery } from "@/calls/listings";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { LinkTabs } from "@/ui/LinkTabs";
import { ChoiceFilter, ListPage, SearchFilter, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { useQueryFields } from "@/ui/useQueryFields";
import { Frozen } from "./Frozen";
import { RefusedDialog } from "./RefusedDialog";
import { MOST } from "./rules";
import { TermsDrawer } from "./TermsDrawer";
import { type Act, useActs } from "./useActs";
import { useListingColumns } from "./useListingColumns";
import { allowed, RELEASED, TO_BE_RELEASED } from "./words";

/** States change while pictures are being made. */
const POLL_MS = 10_000;

/**
 * Listings to be released, or released ones with `isRelase=true`, with batch changes and submission. `drawer`: opens the settings
 * of the `listingIds` in the address.
 */
export function ListingList({ drawer = false }: { drawer?: boolean }) {
  const { loginId } = useSession();
  const [query] = useQueryFields();
  const released = query.get("isRelase") === "true";
  const states = released ? RELEASED : TO_BE_RELEASED;
  const list = useListAddress({ fields: ["keyword", "state"], known: { state: states } });
  const [moving, setMoving] = useState(false);
  const listings = useMyListingsQuery(
    {
      userId: loginId,
      isRelase: String(released),
      ...list.request,
    },
    { refetchOnMountOrArgChange: true, pollingInterval: moving ? POLL_MS : 0 },
  );
  const counts = useListingCountsQuery({ userId: loginId });
  const rows = listings.currentData?.results ?? [];
  const making = rows.some((row) => row.versionState === "making");
  useEffect(() => setMoving(making), [making]);

  const named = drawer ? (query.get("listingIds") ?? "").split(",").filter(Boolean) : [];
  const [chosen, setChosen] = useState<readonly string[]>(named.slice(0, MOST.atOnce));
  const [setting, setSetting] = useState(named.length > 0);
  const [withdrawing, setWithdrawing] = useState(false);
  const acts = useActs();
  // Deselects listings no longer on the page: no action on rows that the user cannot see.
  const here = chosen.filter((id) => rows.some(({ listing }) => listing.listingId === id));
  const picked = rows.filter(({ listing }) => here.includes(listing.listingId));
  const can = (what: keyof ReturnType<typeof allowed>) => picked.filter((row) => allowed(row)[what]);
  const run = async (act: Act, on: readonly TransactionMakerListing[]) => {
    if (
      await acts.act(
        act,
        on.map(({ listing }) => listing.listingId),
        released,
      )
    )
      setChosen([]);
  };
  const everything = rows.length > 0 && here.length === rows.length;
  const columns = useListingColumns({
    chosen: here,
    onChoose: (ids) => setChosen(ids.slice(0, MOST.atOnce)),
  });

  return (
    <>
      <Frozen />
      <PageHeader
        title={released ? "已发布模型" : "待发布模型"}
        note={
          released
            ? "改价格和授权立即生效；改名称、介绍或发布新版本需要审核，审核期间商城仍展示现在的版本"
            : "补全资料后提交审核，通过后自动上架"
        }
        actions={
          <Button component={RouterLink} to="/publishCenter/procedSourceFile" variant="outlined">
            从源文件添加
          </Button>
        }
      />
      <ListPage
        what="模型列表"
        caption={released ? "已发布模型" : "待发布模型"}
        query={listings}
        list={list}
        tabs={
          <LinkTabs
            label="发布状态"
            current={released ? "released" : "open"}
            tabs={[
              {
                id: "open",
                text: "待发布",
                to: "/publishCenter/toBeReleased",
                count: counts.data?.toBeReleased,
              },
              {
                id: "released",
                text: "已发布",
                to: "/publishCenter/toBeReleased?isRelase=true",
                count: counts.data?.released,
              },
            ]}
          />
        }
        filters={
          <>
            <SearchFilter list={list} name="keyword" label="按名称搜索" />
            <ChoiceFilter list={list} name="state" label="状态" all="全部状态" choices={states} />
          </>
        }
        above={
          <Box
            role="group"
            aria-label="批量操作"
            sx={{ display: "flex", flexWrap: "wrap", gap: 1, mb: 1.5, alignItems: "center" }}
          >
            <Box aria-live="polite" sx={{ fontSize: 13, color: "text.secondary", mr: 1 }}>
              {`已选 ${here.length} 个`}
            </Box>
            <Button
              size="small"
              color="inherit"
              disabled={rows.length === 0}
              onClick={() => setChosen(everything ? [] : rows.map(({ listing }) => listing.listingId))}
            >
              {everything ? "取消全选" : "全选本页"}
            </Button>
            <Button
              size="small"
              variant="outlined"
              disabled={here.length === 0}
              onClick={() => setSetting(true)}
            >
              发布设置
            </Button>
            {released ? (
              <>
                <Button
                  size="small"
                  variant="outlined"
                  loading={acts.busy}
                  disabled={can("relist").length === 0}
                  onClick={() => void run("relist", can("relist"))}
                >
                  重新上架
                </Button>
                <Button
                  size="small"
                  color="error"
                  variant="outlined"
                  disabled={can("withdraw").length === 0}
                  onClick={() => setWithdrawing(true)}
                >
                  下架
                </Button>
              </>
            ) : (
              <Button
                size="small"
                variant="contained"
                loading={acts.busy}
                disabled={can("submit").length === 0}
                onClick={() => void run("submit", can("submit"))}
              >
                提交审核
              </Button>
            )}
          </Box>
        }
        columns={columns}
        rowKey={({ listing }) => listing.listingId}
        empty={released ? NOTHING_RELEASED : NOTHING_TO_RELEASE}
        emptyFiltered={{ title: "没有符合条件的模型", hint: "换一个关键词或状态再试。" }}
      />
      <TermsDrawer
        open={setting}
        many={here.length}
        busy={acts.busy}
        onClose={() => setSetting(false)}
        onSave={async (terms) => {
          if (await acts.saveTerms(here, terms)) setSetting(false);
        }}
      />
      <ConfirmDialog
        open={withdrawing}
        title={`下架 ${can("withdraw").length} 个模型？`}
        confirmText="下架"
        danger
        onClose={() => setWithdrawing(false)}
        onConfirm={async () => {
          await run("withdraw", can("withdraw"));
          setWithdrawing(false);
        }}
      >
        商城立即不再展示，已购买的人仍可下载。之后可以随时重新上架。
      </ConfirmDialog>
      <RefusedDialog
        refused={acts.refused}
        nameOf={(id) => rows.find(({ listing }) => listing.listingId === id)?.listing.name ?? id}
        onClose={acts.forget}
      />
    </>
  );
}

const NOTHING_RELEASED = {
  title: "还没有上架过模型",
  hint: "待发布的模型补全资料、通过审核后出现在这里。",
  action: (
    <Button component={RouterLink} to="/publishCenter/toBeReleased" variant="contained">
      查看待发布模型
    </Button>
  ),
};

const NOTHING_TO_RELEASE = {
  title: "没有待发布的模型",
  hint: "体检通过的源文件发布后，就会出现在这里等待补全资料。",
  action: (
    <Button component={RouterLink} to="/publishCenter/procedSourceFile" variant="contained">
      选择源文件
    </Button>
  ),
};
