import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useEffect, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { codeOf } from "@/api";
import { REFUSED, useCreateModelOrderMutation } from "@/calls/order";
import { useMemberFreeCountsQuery } from "@/calls/payment";
import {
  CART_PAGE,
  type TransactionListing,
  type TransactionMyModel,
  useAddToCartMutation,
  useCheckTheDayOfFreeModelCountQuery,
  useGetAFreeModelMutation,
  useGetCartListQuery,
  useMyModelsQuery,
} from "@/calls/transaction";
import { useModelDownload } from "@/features/myModels";
import { licenseOf } from "@/messages/licenses";
import { shopMessages } from "@/messages/shop";
import { useAuthDialog, useSession } from "@/session";
import { useShop } from "@/shop";
import { paidMaker } from "@/shop/counts";
import { formatCents } from "@/ui/Price";
import { toast } from "@/ui/toast";

const MINE = "/workbench/myModel";
const CART = "/workbench/myShoppCart";
/** How long the message is shown before the user's models open, in milliseconds. */
const FOLLOWS = 2_000;

const SMALL = { fontSize: 12, lineHeight: "20px", color: "text.secondary" } as const;

/** How the user got the model. */
const GOT: Readonly<Record<string, string>> = {
  paid: "已购买",
  free: "已免费领取",
  memberFree: "已用会员次数领取",
};

interface Wanted {
  listing: TransactionListing;
  /** The listing differs from what the page shows. */
  onChanged: () => void;
  /** Only the main button. */
  brief?: boolean;
}

/** Actions on a listing: download an owned model, claim a free one, buy any other. */
export function Getting({ listing, onChanged, brief = false }: Wanted) {
  const { loginId, signedIn } = useSession();
  const asked = { userId: loginId, modelId: listing.listingId, way: "", keyword: "", pageNo: 1, pageSize: 1 };
  const { data, isLoading } = useMyModelsQuery(asked, { skip: !signedIn });
  const had = data?.results[0];
  const navigate = useNavigate();
  // Kept here, not beside the button, which unmounts as soon as the user has the model.
  const [taken, setTaken] = useState(false);
  useEffect(() => {
    if (!taken) return;
    const timer = window.setTimeout(() => navigate(MINE), FOLLOWS);
    return () => window.clearTimeout(timer);
  }, [taken, navigate]);
  if (signedIn && listing.seller === loginId)
    return (
      <Box sx={{ display: "grid", gap: 1 }}>
        <Button
          component={Link}
          to={`/publishCenter/details?listingId=${encodeURIComponent(listing.listingId)}`}
          variant="outlined"
          fullWidth
        >
          管理这个模型
        </Button>
        {!brief && <Box sx={SMALL}>这是您自己发布的模型，不用购买。</Box>}
      </Box>
    );
  if (signedIn && had) return <Had model={had} brief={brief} />;
  // An owned model never offers a purchase, not even for a moment.
  if (isLoading) return <Skeleton variant="rectangular" sx={{ height: 36, borderRadius: 1 }} />;
  if (listing.price > 0) return <Paid listing={listing} onChanged={onChanged} brief={brief} />;
  return <Free modelId={listing.listingId} brief={brief} onTaken={() => setTaken(true)} />;
}

function Had({ model: { modelId, state, way }, brief }: { model: TransactionMyModel; brief: boolean }) {
  const { download, busy } = useModelDownload();
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Button
        variant="contained"
        loading={busy}
        disabled={state !== "active"}
        onClick={() => void download(modelId)}
      >
        去下载
      </Button>
      {!brief && (
        <Box sx={SMALL}>
          {state === "active" ? `${GOT[way] ?? "已拥有"}，` : "正在退货，不能下载，"}
          <Box component={Link} to={MINE} sx={{ color: "primary.main" }}>
            在我的模型中查看全部版本
          </Box>
        </Box>
      )}
    </Box>
  );
}

/** Adds the model to the cart or orders it at once; a visitor signs in first and returns. */
function Paid({ listing, onChanged, brief }: Wanted) {
  const { loginId, signedIn } = useSession();
  const { pathname, search } = useLocation();
  const auth = useAuthDialog();
  const shop = useShop();
  const cart = useGetCartListQuery(CART_PAGE, { skip: !signedIn });
  const [add, adding] = useAddToCartMutation();
  const { listingId: modelId, license, price, uploaderType } = listing;
  // One order for both of the page's buttons.
  const [order, ordering] = useCreateModelOrderMutation({ fixedCacheKey: modelId });
  const counts = useMemberFreeCountsQuery({}, { skip: !signedIn || paidMaker(uploaderType) });
  const left = counts.data?.find((one) => one.right === "mall")?.left;
  const inCart = signedIn && cart.data?.results.some((item) => item.modelId === modelId);
  const { title, summary } = licenseOf(license);
  const signIn = () => auth.open("login", { returnURL: `${pathname}${search}` });

  async function collect() {
    if (!signedIn) return signIn();
    const { error } = await add({ userId: loginId, modelId });
    if (!error) toast.success(shopMessages.cartAdded);
    else if (codeOf(error) === REFUSED) onChanged();
  }

  async function buy() {
    if (!signedIn) return signIn();
    const { data, error } = await order({ userId: loginId, modelId, type: license, embeddedSetting: "" });
    if (codeOf(error) === REFUSED) onChanged();
    if (!data) return;
    if (data.amount !== price) {
      toast.warning(shopMessages.otherPrice(formatCents(data.amount), formatCents(price)));
      onChanged();
    }
    shop.pay(data.orderId, { isNotJump: true });
  }

  const main = (
    <Button
      fullWidth
      variant="contained"
      size="large"
      loading={ordering.isLoading}
      onClick={() => void buy()}
    >
      立即购买
    </Button>
  );
  if (brief) return main;
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      {main}
      {inCart ? (
        <Button component={Link} to={CART} variant="outlined" size="large">
          已在购物车，去结算
        </Button>
      ) : (
        <Button variant="outlined" size="large" loading={adding.isLoading} onClick={() => void collect()}>
          加入购物车
        </Button>
      )}
      {left !== undefined && left !== 0 && <Box sx={SMALL}>{shopMessages.countsHere(left)}</Box>}
      <Box sx={SMALL}>{`${title}：${summary}`}</Box>
      <Box sx={SMALL}>付款后可以下载全部版本，作者下架后也一样。</Box>
    </Box>
  );
}

function Free({ modelId, brief, onTaken }: { modelId: string; brief: boolean; onTaken: () => void }) {
  const { loginId, signedIn } = useSession();
  const { pathname, search } = useLocation();
  const dialog = useAuthDialog();
  const left = useCheckTheDayOfFreeModelCountQuery({ userId: loginId }, { skip: !signedIn });
  const [take, { isLoading }] = useGetAFreeModelMutation({ fixedCacheKey: modelId });

  async function get() {
    if (!signedIn) {
      dialog.open("login", { returnURL: `${pathname}${search}` });
      return;
    }
    try {
      await take({ userId: loginId, modelId }).unwrap();
      toast.success("领取成功，即将前往我的模型");
      onTaken();
    } catch {
      // already reported by the shared wrapper
    }
  }
  const count = signedIn ? left.data : undefined;
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Button variant="contained" loading={isLoading} disabled={count === 0} onClick={() => void get()}>
        免费领取
      </Button>
      {!brief && (
        <Box sx={{ ...SMALL, minHeight: 20 }}>
          {count === undefined
            ? "登录后每天可以免费领取 5 个模型。"
            : count > 0
              ? `今天还可以免费领取 ${count} 个。`
              : "今天的 5 次免费领取已用完，请明天再来。"}
        </Box>
      )}
    </Box>
  );
}
