import Box from "@mui/material/Box";
import type { OrderOrderInfo } from "@/calls/order";
import { shopMessages } from "@/messages/shop";
import { CopyText } from "@/ui/CopyText";
import { formatCents } from "@/ui/Price";
import { toast } from "@/ui/toast";
import { OrderItems } from "./OrderItems";

/** The order number, which can be copied. */
export function OrderNumber({ orderNo }: { orderNo: string }) {
  return (
    <CopyText
      text={orderNo}
      label="订单号"
      tell={(copied) => (copied ? toast.success(shopMessages.copied) : toast.error(shopMessages.copyFailed))}
    />
  );
}

/** The order to be paid, with the items of a batch. */
export function OrderSummary({ order }: { order: OrderOrderInfo }) {
  return (
    <Box sx={{ p: 2, borderRadius: 2, backgroundColor: "background.default" }}>
      <Box sx={{ display: "flex", justifyContent: "space-between", gap: 2 }}>
        <Box sx={{ fontWeight: 500, minWidth: 0, overflowWrap: "anywhere" }}>{order.description}</Box>
        <Box sx={{ flex: "none", fontVariantNumeric: "tabular-nums" }}>¥{formatCents(order.amount)}</Box>
      </Box>
      <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
        订单号 <OrderNumber orderNo={order.orderNo} />
      </Box>
      {order.payTpye === "batch" && order.orderDetailList.length > 0 && (
        <Box sx={{ mt: 1.5 }}>
          <OrderItems items={order.orderDetailList} size={12} />
        </Box>
      )}
    </Box>
  );
}
