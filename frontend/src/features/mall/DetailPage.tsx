import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { type RefObject, useRef } from "react";
import { Link, useSearchParams } from "react-router";
import { codeOf } from "@/api";
import {
  NOT_IN_MALL,
  type TransactionListing,
  type TransactionModelDetailReply,
  useModelDetailQuery,
  useSimilarModelsQuery,
  useTransactionLabelCateQuery,
} from "@/calls/transaction";
import { Heart } from "@/features/favourites";
import { touches } from "@/lib/pointer";
import { licenseOf, originOf } from "@/messages/licenses";
import { modelPath } from "@/shop/paths";
import { EmptyState } from "@/ui/EmptyState";
import { dayOf, shortCount } from "@/ui/numbers";
import { toast } from "@/ui/toast";
import { useCanonical, useTitle } from "@/ui/useTitle";
import { Part, Wide } from "@/ui/Wide";
import { searchPath } from "./address";
import { BuyBar } from "./BuyBar";
import { Block, FactRows, LicenseText, MakerCard, starsText, Versions } from "./DetailParts";
import { Getting } from "./Getting";
import { Cards, PriceOf } from "./MallCard";
import { PriceHistory } from "./PriceHistory";
import { Reviews } from "./Reviews";
import { Stage } from "./Stage";

/** One model: viewer on the left, description and purchase on the right. */
export function DetailPage() {
  const [query] = useSearchParams();
  const modelId = query.get("id")?.slice(0, 64) ?? "";
  const { currentData, error, refetch } = useModelDetailQuery({ modelId }, { skip: !modelId });
  const gone = codeOf(error) === NOT_IN_MALL;
  const detail = gone ? undefined : currentData;
  const buttons = useRef<HTMLDivElement>(null);
  const onChanged = () => void refetch();
  useTitle(detail?.listing.name);
  useCanonical(detail && modelPath(modelId));
  if (!modelId) return <Gone title="没有指明要看的模型" hint="地址不完整，可以在商城里按名称查找。" />;
  if (gone)
    return (
      <Gone
        title="模型已下架"
        hint="它现在不在商城里，也可能是地址有误。已经拥有的模型仍可在“我的模型”中下载。"
      />
    );
  if (error && !detail) return <Failed onRetry={() => void refetch()} />;
  return (
    <Wide>
      {detail ? (
        <Loaded key={modelId} detail={detail} buttons={buttons} onChanged={onChanged} />
      ) : (
        <Waiting />
      )}
      {detail && <Similar modelId={modelId} />}
      {detail && <BuyBar key={modelId} listing={detail.listing} buttons={buttons} onChanged={onChanged} />}
    </Wide>
  );
}

const TO_MALL = (
  <Button component={Link} to="/transaction" variant="contained">
    去模型商城
  </Button>
);

/** As while the model is read: the footer stays where it is. */
const AS_TALL = { minHeight: "100vh" } as const;

function Gone(said: { title: string; hint: string }) {
  return (
    <Box sx={AS_TALL}>
      <EmptyState heading="h1" kind="search" {...said} action={TO_MALL} />
    </Box>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <Box sx={AS_TALL}>
      <EmptyState
        heading="h1"
        kind="error"
        title="模型加载失败"
        hint="请检查网络后重试。"
        action={
          <>
            <Button variant="outlined" onClick={onRetry}>
              重试
            </Button>
            {TO_MALL}
          </>
        }
      />
    </Box>
  );
}

const COLUMNS = {
  display: "grid",
  gap: { xs: 3, md: 4 },
  gridTemplateColumns: { md: "minmax(0, 1fr) 360px" },
  alignItems: "start",
} as const;

function Waiting() {
  return (
    <Box role="status" aria-label="正在读取模型" sx={{ ...COLUMNS, minHeight: "100vh" }}>
      <Skeleton
        variant="rectangular"
        sx={{ height: "auto", aspectRatio: { xs: "1", sm: "4 / 3" }, borderRadius: 2, mt: { md: 4 } }}
      />
      <Box sx={{ minHeight: 480 }}>
        <Skeleton variant="text" sx={{ fontSize: 24, width: "70%" }} />
        <Skeleton variant="text" sx={{ width: "90%" }} />
        <Skeleton variant="text" sx={{ fontSize: 32, width: "30%", mt: 2 }} />
      </Box>
    </Box>
  );
}

interface Shown {
  detail: TransactionModelDetailReply;
  /** The listing differs from what the page shows. */
  onChanged: () => void;
  /** Will hold the buttons to get the model. */
  buttons: RefObject<HTMLDivElement | null>;
}

function Loaded({ detail, onChanged, buttons }: Shown) {
  const { listing } = detail;
  return (
    <>
      <Crumbs detail={detail} />
      <Box sx={COLUMNS}>
        <Box sx={{ minWidth: 0 }}>
          <Stage detail={detail} />
        </Box>
        <Buying detail={detail} onChanged={onChanged} buttons={buttons} />
      </Box>
      <Box sx={COLUMNS}>
        <Box sx={{ minWidth: 0 }}>
          {detail.description && (
            <Block title="介绍">
              <Box sx={{ lineHeight: "26px", whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
                {detail.description}
              </Box>
            </Block>
          )}
          <LicenseText license={listing.license} />
          <Versions detail={detail} />
          <Reviews listing={listing} />
        </Box>
        <Box sx={{ minWidth: 0 }}>
          <Block title="体检数据">
            <FactRows detail={detail} />
          </Block>
          {detail.prices.length > 0 && listing.price > 0 && (
            <Block title="价格走势">
              <PriceHistory prices={detail.prices} />
            </Block>
          )}
        </Box>
      </Box>
    </>
  );
}

/** The way here: the mall, and the model's category with the one above it. */
function Crumbs({ detail: { listing, categoryNames } }: Pick<Shown, "detail">) {
  const { data: tree } = useTransactionLabelCateQuery({}, { skip: categoryNames.length < 2 });
  const own = listing.categoryId;
  // The reply names the category above without its id.
  const above = tree?.find(({ children }) => children.some(({ id }) => id === own))?.id;
  const ids = categoryNames.length < 2 ? [own] : [above, own];
  return (
    <Box
      component="nav"
      aria-label="所在分类"
      sx={{ height: 32, fontSize: 13, color: "text.secondary", overflow: "hidden", whiteSpace: "nowrap" }}
    >
      <Crumb to="/transaction" text="模型商城" />
      {categoryNames.map((name, i) => {
        const id = ids[i];
        return (
          <span key={name}>
            {" / "}
            {id ? <Crumb to={searchPath("", new URLSearchParams({ category: id }))} text={name} /> : name}
          </span>
        );
      })}
    </Box>
  );
}

function Crumb({ to, text }: { to: string; text: string }) {
  return (
    <Box component={Link} to={to} sx={{ color: "inherit", "&:hover": { color: "primary.main" } }}>
      {text}
    </Box>
  );
}

/** Uses the phone's share sheet if available; else copies the address. */
async function share({ name, listingId }: TransactionListing): Promise<void> {
  const url = `${window.location.origin}${modelPath(listingId)}`;
  try {
    if (touches() && "share" in navigator) {
      await navigator.share({ title: name, url });
      return;
    }
    await navigator.clipboard.writeText(url);
    toast.success("链接已复制");
  } catch (error) {
    // The user closed the share sheet: nothing to report.
    if ((error as Error).name !== "AbortError") toast.warning("链接没有复制成功，请从地址栏复制");
  }
}

/** Name, price and maker. */
function Buying({ detail, onChanged, buttons }: Shown) {
  const { listing, labels, author } = detail;
  const facts = [
    listing.sold > 0 ? `售出 ${shortCount(listing.sold)}` : undefined,
    starsText(listing),
    `${dayOf(listing.updatedAt)} 更新`,
  ];
  return (
    <Box sx={{ position: { md: "sticky" }, top: 88, display: "grid", gap: 2, minWidth: 0 }}>
      <Box>
        <Box
          component="h1"
          sx={{ m: 0, fontSize: 24, lineHeight: "32px", fontWeight: 600, overflowWrap: "anywhere" }}
        >
          {listing.name}
        </Box>
        {listing.intro && (
          <Box sx={{ mt: 0.5, color: "text.secondary", overflowWrap: "anywhere" }}>{listing.intro}</Box>
        )}
        <Box sx={{ mt: 1, fontSize: 13, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
          {facts.filter(Boolean).join("　")}
        </Box>
      </Box>
      <Box
        sx={{ p: 2, border: 1, borderColor: "divider", borderRadius: 2, backgroundColor: "background.paper" }}
      >
        <Box sx={{ display: "flex", alignItems: "baseline", justifyContent: "space-between", gap: 2 }}>
          <PriceOf cents={listing.price} size={32} />
          <Box component="span" sx={{ fontSize: 13, color: "text.secondary" }}>
            {[licenseOf(listing.license).title, originOf(listing.origin)].filter(Boolean).join(" · ")}
          </Box>
        </Box>
        <Box ref={buttons} sx={{ mt: 1.5, pt: 1.5, borderTop: 1, borderColor: "divider", fontSize: 14 }}>
          <Getting listing={listing} onChanged={onChanged} />
        </Box>
      </Box>
      <MakerCard author={author} />
      {labels.length > 0 && (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
          {labels.map((label) => (
            <Box
              component={Link}
              key={label.key}
              to={searchPath("", `label=${encodeURIComponent(label.key)}`)}
              sx={{
                px: 1.25,
                lineHeight: "28px",
                borderRadius: 1,
                fontSize: 13,
                color: "text.primary",
                textDecoration: "none",
                backgroundColor: "action.hover",
                "&:hover": { color: "primary.main" },
              }}
            >
              {label.name}
            </Box>
          ))}
        </Box>
      )}
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        <Heart modelId={listing.listingId} name={listing.name} count={listing.favourites} />
        <Button variant="outlined" color="inherit" size="small" onClick={() => void share(listing)}>
          分享
        </Button>
      </Box>
    </Box>
  );
}

/** Nothing if there are no similar models or the call failed: the section is optional. */
function Similar({ modelId }: { modelId: string }) {
  const { data } = useSimilarModelsQuery({ modelId, size: 8 });
  if (!data || data.length === 0) return null;
  return (
    <Part title="相似的模型" note="形状与配色最接近">
      <Cards listings={data} label="相似的模型" />
    </Part>
  );
}
