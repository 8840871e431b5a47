import { MyCoupons } from "@/features/coupons";
import { PageHeader } from "@/ui/PageHeader";

export default function MyCouponPage() {
  return (
    <>
      <PageHeader title="我的优惠券" note="开通会员时在支付页选择使用" />
      <MyCoupons />
    </>
  );
}
