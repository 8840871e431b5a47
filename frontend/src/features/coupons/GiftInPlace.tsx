import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import {
  type OrderCoupon,
  useCouponListQuery,
  useGetCombinationCouponsMutation,
  useHasBeenGotCombinationCouponsQuery,
} from "@/calls/order";
import { GIFT } from "@/facts/shop";
import { doneToday } from "@/session/daily";
import { payable } from "@/shop/pricing";
import { golden } from "@/theme";
import { formatCents } from "@/ui/Price";
import { GIFT_COUNT } from "./gift";

/** Status of usable coupons in the list. */
const USABLE = 0;

/** The coupon with the largest discount on a membership of this price; of equals the one that expires first. */
export function bestCoupon(
  coupons: readonly OrderCoupon[] | undefined,
  cents: number,
): OrderCoupon | undefined {
  const fitting = (coupons ?? []).filter((one) => one.minAmount <= cents);
  return [...fitting].sort((a, b) => payable(cents, a) - payable(cents, b) || a.expireTime - b.expireTime)[0];
}

/** What the gift would take off, before it is received. */
const giftOff = (cents: number): number =>
  Math.max(0, ...GIFT.filter((one) => one.minAmount <= cents).map((one) => one.faceValue));

/** Coupons within the purchase of a membership: the gift can be received and used at once, and held coupons can be used. */
export function GiftInPlace({
  cents,
  chosen,
  onChoose,
}: {
  /** The price in cents. */
  cents: number;
  chosen: OrderCoupon | undefined;
  onChoose: (coupon: OrderCoupon | undefined) => void;
}) {
  const { data: received } = useHasBeenGotCombinationCouponsQuery({});
  const held = useCouponListQuery({ pageNo: 1, pageSize: 200, status: USABLE });
  const [receive, receiving] = useGetCombinationCouponsMutation();
  const best = bestCoupon(held.data, cents);
  const off = giftOff(cents);

  async function take() {
    const { data } = await receive({});
    if (!data) return;
    // No reminder today about coupons that were just received.
    doneToday("reminder");
    onChoose(bestCoupon(data, cents));
  }

  const box = {
    mt: 2,
    px: 2,
    py: 1,
    borderRadius: 2,
    backgroundColor: golden.soft,
    color: golden.textStrong,
  };
  if (received === false && !best && off > 0) {
    return (
      <Box
        component="section"
        aria-label="会员优惠券"
        sx={{ ...box, display: "flex", alignItems: "center", flexWrap: "wrap", gap: 1 }}
      >
        <Box sx={{ flex: 1, minWidth: 180 }}>
          送您{GIFT_COUNT}张会员优惠券，本单可减 ¥{formatCents(off)}
        </Box>
        <Button size="small" variant="outlined" color="inherit" loading={receiving.isLoading} onClick={take}>
          领取并使用
        </Button>
      </Box>
    );
  }
  if (!best) return null;
  return (
    <Box component="section" aria-label="会员优惠券" sx={box}>
      <FormControlLabel
        control={
          <Checkbox
            size="small"
            checked={chosen?.couponId === best.couponId}
            onChange={(event) => onChoose(event.target.checked ? best : undefined)}
            sx={{ color: "inherit", "&.Mui-checked": { color: golden.solid } }}
          />
        }
        label={`使用${best.name}，减 ¥${formatCents(cents - payable(cents, best))}`}
      />
      {best.type === 1 && (
        <Box sx={{ fontSize: 12, lineHeight: "18px" }}>使用该优惠券的订单用云币支付，云币可在付款时充值</Box>
      )}
    </Box>
  );
}
