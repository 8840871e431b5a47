import Box from "@mui/material/Box";
import dayjs from "dayjs";
import {
  type OrderCoupon,
  type OrderOrderInfo,
  useActiveCouponListQuery,
  useCouponListQuery,
  useHasBeenGotCombinationCouponsQuery,
} from "@/calls/order";
import { GiftInPlace } from "@/features/coupons";
import { shopMessages } from "@/messages/shop";
import { golden } from "@/theme";
import { formatCents } from "@/ui/Price";
import { LinesSkeleton } from "@/ui/Skeletons";
import { MEMBERSHIP } from "./methods";

/** Status of usable coupons in the list. */
const USABLE = 0;

const yuan = (cents: number) => formatCents(cents).replace(/\.00$/, "");

/** Why a coupon of the user cannot be used on this order. */
function reasonOf(coupon: OrderCoupon, order: OrderOrderInfo): string {
  return order.amount < coupon.minAmount
    ? shopMessages.belowMinimum(yuan(coupon.minAmount))
    : shopMessages.wrongKind;
}

function Choice({
  title,
  note,
  checked,
  disabled,
  onTake,
}: {
  title: string;
  note: string;
  checked: boolean;
  disabled?: boolean;
  onTake: () => void;
}) {
  return (
    <Box
      component="label"
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 1.5,
        px: 2,
        py: 1,
        minHeight: 44,
        borderTop: 1,
        borderColor: "divider",
        "&:first-of-type": { borderTop: 0 },
        cursor: disabled ? "not-allowed" : "pointer",
        opacity: disabled ? 0.62 : 1,
        backgroundColor: checked ? "#FFF7E6" : "transparent",
      }}
    >
      <Box
        component="input"
        type="radio"
        name="coupon"
        checked={checked}
        disabled={disabled}
        onChange={onTake}
        sx={{ accentColor: golden.solid, width: 16, height: 16, m: 0, flex: "none" }}
      />
      <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
        {title}
      </Box>
      <Box component="span" sx={{ fontSize: 12, color: "text.secondary", textAlign: "right" }}>
        {note}
      </Box>
    </Box>
  );
}

/**
 * The user's coupons, those that do not fit with the reason; initially none is chosen. Without any, the gift can be received
 * for a membership.
 */
export function CouponPicker({
  order,
  chosen,
  onTake,
}: {
  order: OrderOrderInfo;
  chosen: OrderCoupon | undefined;
  onTake: (coupon: OrderCoupon | undefined) => void;
}) {
  const { orderId } = order;
  const active = useActiveCouponListQuery({ orderId }, { refetchOnMountOrArgChange: true });
  const held = useCouponListQuery(
    { pageNo: 1, pageSize: 200, status: USABLE },
    { refetchOnMountOrArgChange: true },
  );
  const { data: received } = useHasBeenGotCombinationCouponsQuery({});
  if (active.isLoading || held.isLoading) return <LinesSkeleton lines={2} />;
  const usable = active.data ?? order.couponList;
  const ids = new Set(usable.map((coupon) => coupon.couponId));
  const others = (held.data ?? []).filter((coupon) => !ids.has(coupon.couponId));
  if (usable.length + others.length === 0) {
    return received === false && order.functionModule === MEMBERSHIP ? (
      <GiftInPlace cents={order.amount} chosen={chosen} onChoose={onTake} />
    ) : (
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>没有优惠券</Box>
    );
  }
  return (
    <Box
      role="radiogroup"
      aria-label="优惠券"
      sx={{ border: 1, borderColor: "divider", borderRadius: 2, overflow: "auto", maxHeight: 232 }}
    >
      <Choice
        title="不使用优惠券"
        note={usable.length > 0 ? `有 ${usable.length} 张可用` : ""}
        checked={!chosen}
        onTake={() => onTake(undefined)}
      />
      {usable.map((coupon) => (
        <Choice
          key={coupon.couponId}
          title={coupon.name}
          note={`${dayjs(coupon.expireTime).format("YYYY-MM-DD")} 到期`}
          checked={chosen?.couponId === coupon.couponId}
          onTake={() => onTake(coupon)}
        />
      ))}
      {others.map((coupon) => (
        <Choice
          key={coupon.couponId}
          title={coupon.name}
          note={reasonOf(coupon, order)}
          checked={false}
          disabled
          onTake={() => undefined}
        />
      ))}
    </Box>
  );
}
