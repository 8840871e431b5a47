import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { serverNow } from "@/api";
import { type OrderCoupon, useCouponListQuery, useHasBeenGotCombinationCouponsQuery } from "@/calls/order";
import { COUPON_RETURN_MINUTES } from "@/facts/shop";
import { useShop } from "@/shop";
import { ListPage, ListTabs, useListAddress } from "@/ui/list";
import { CardGridSkeleton } from "@/ui/Skeletons";
import { CouponTicket, dayText } from "./CouponTicket";
import { GIFT_COUNT, GIFT_VALID } from "./gift";

/** Coupon states by number. */
const STATUS = { usable: 0, used: 1, expired: 2, reserved: 3 } as const;
/** The server's maximum page size; no user holds more coupons. */
const LIST_SIZE = 200;
const SOON_MS = 7 * 24 * 3600 * 1000;

const TABS = [
  { key: "usable", text: "可用", states: [STATUS.usable, STATUS.reserved], empty: "没有可用的优惠券" },
  { key: "used", text: "已使用", states: [STATUS.used], empty: "没有用过的优惠券" },
  { key: "expired", text: "已过期", states: [STATUS.expired], empty: "没有过期的优惠券" },
] as const;

function worthOf(coupon: OrderCoupon): number | string {
  return coupon.couponSysType === 1 && coupon.type !== 1
    ? `${coupon.discountValue / 10} 折`
    : coupon.faceValue;
}

function Ticket({ coupon }: { coupon: OrderCoupon }) {
  const shop = useShop();
  const usable = coupon.status === STATUS.usable;
  const soon = usable && coupon.expireTime - serverNow() < SOON_MS;
  return (
    <CouponTicket
      worth={worthOf(coupon)}
      name={coupon.name}
      minAmount={coupon.minAmount}
      until={`${dayText(coupon.expireTime)} 到期${soon ? "（即将到期）" : ""}`}
      faded={!usable && coupon.status !== STATUS.reserved}
      mark={
        coupon.status === STATUS.used
          ? "已使用"
          : coupon.status === STATUS.expired
            ? "已过期"
            : coupon.status === STATUS.reserved
              ? "支付中"
              : undefined
      }
      action={
        usable && (
          <Button size="small" variant="outlined" onClick={() => shop.buy()} sx={{ flex: "none" }}>
            去使用
          </Button>
        )
      }
    />
  );
}

/** The user's usable, used and expired coupons. */
export function MyCoupons() {
  const list = useListAddress({ tab: "tab", pageSize: LIST_SIZE });
  const coupons = useCouponListQuery({ pageNo: 1, pageSize: LIST_SIZE }, { refetchOnMountOrArgChange: true });
  const of = (states: readonly number[]) =>
    (coupons.data ?? []).filter((coupon) => states.includes(coupon.status));
  const tab = TABS.find((one) => one.key === list.values.tab) ?? TABS[0];
  const shown = of(tab.states);
  const shop = useShop();
  const { data: received } = useHasBeenGotCombinationCouponsQuery({});
  return (
    <>
      <ListPage
        what="优惠券"
        query={coupons}
        list={list}
        rows={shown}
        total={shown.length}
        tabs={
          <ListTabs
            list={list}
            name="tab"
            label="优惠券状态"
            tabs={TABS.map(({ key, text, states }) => ({
              key,
              text: coupons.data ? `${text}（${of(states).length}）` : text,
            }))}
          />
        }
        skeleton={<CardGridSkeleton count={3} />}
        empty={{
          kind: "results",
          title: tab.empty,
          hint: `会员优惠券${GIFT_VALID}，仅限购买会员时使用。`,
          action: received === false && tab.key === "usable" && (
            <Button variant="contained" onClick={shop.gift}>
              领取{GIFT_COUNT}张会员优惠券
            </Button>
          ),
        }}
      >
        {(rows) => (
          <Box
            component="ul"
            aria-label={`${tab.text}的优惠券`}
            sx={{
              m: 0,
              p: 0,
              listStyle: "none",
              display: "grid",
              gap: 2,
              gridTemplateColumns: { xs: "minmax(0,1fr)", sm: "repeat(auto-fill, minmax(340px, 1fr))" },
            }}
          >
            {rows.map((coupon) => (
              <li key={coupon.couponId}>
                <Ticket coupon={coupon} />
              </li>
            ))}
          </Box>
        )}
      </ListPage>
      {!coupons.isError && <HowToUse />}
    </>
  );
}

const STEPS = [
  { title: "选会员", text: "在会员价格或头像菜单里选一个等级，够得上门槛的券会自动列出。" },
  { title: "用券", text: "一个订单用一张，用了券的订单请用云币支付。" },
  { title: "退回", text: `订单取消或支付失败，券在 ${COUPON_RETURN_MINUTES} 分钟内回到这里。` },
] as const;

/** Explains coupons: most users have only three on an otherwise empty page. */
function HowToUse() {
  return (
    <Box component="section" aria-label="怎样使用" sx={{ mt: 5 }}>
      <Box component="h2" sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
        怎样使用
      </Box>
      <Box
        component="ol"
        sx={{
          m: 0,
          mt: 1.5,
          p: 0,
          listStyle: "none",
          display: "grid",
          gap: { xs: 2, md: 4 },
          gridTemplateColumns: { xs: "1fr", md: "repeat(3, 1fr)" },
        }}
      >
        {STEPS.map((step) => (
          <Box component="li" key={step.title} sx={{ borderTop: 2, borderColor: "divider", pt: 1.5 }}>
            <Box sx={{ fontWeight: 500 }}>{step.title}</Box>
            <Box sx={{ mt: 0.5, fontSize: 13, lineHeight: "22px", color: "text.secondary" }}>{step.text}</Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
