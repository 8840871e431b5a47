import { PAY_MINUTES } from "@/facts/shop";
import { MyOrders } from "@/features/orders";
import { PageHeader } from "@/ui/PageHeader";

export default function MyOrderPage() {
  return (
    <>
      <PageHeader title="我的订单" note={`${PAY_MINUTES} 分钟内没有付款的订单会自动关闭`} />
      <MyOrders />
    </>
  );
}
