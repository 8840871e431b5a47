import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { serverNow } from "@/api";
import { type OrderOrderInfo, type OrderOrderItem, useReturnItemMutation } from "@/calls/order";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { formatCents } from "@/ui/Price";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";

/** Days in which a model that was not downloaded can be returned; the server decides. */
const RETURN_DAYS = 7;
const DAY_MS = 86_400_000;

/** States of a returned item. */
const BACK: Record<string, string> = {
  had: "已拥有，退款中",
  returning: "退款处理中",
  returned: "退款中",
  refunded: "已退款",
};

/** Of a purchased model: the state of its refund, or the button to request one. */
export function ItemState({
  order,
  item,
  onReturn,
}: {
  order: OrderOrderInfo;
  item: OrderOrderItem;
  onReturn: (item: OrderOrderItem) => void;
}) {
  const text = BACK[item.state];
  if (text) {
    return (
      <Box sx={{ fontSize: 12 }}>
        <StatusTag tone={item.state === "refunded" ? "neutral" : "running"}>{text}</StatusTag>
      </Box>
    );
  }
  const inTime = order.payTime !== null && serverNow() < order.payTime + RETURN_DAYS * DAY_MS;
  if (item.state !== "granted" || !inTime) return null;
  return (
    <Box>
      <Button
        size="small"
        aria-label={`退款：${item.description}`}
        onClick={() => onReturn(item)}
        sx={{ ml: -0.5, minWidth: 0, px: 0.5, py: 0, fontSize: 12 }}
      >
        申请退款
      </Button>
    </Box>
  );
}

/** Confirms the return of a model. */
export function ReturnDialog({
  orderId,
  item,
  onClose,
}: {
  orderId: string;
  /** Missing: closed. */
  item: OrderOrderItem | undefined;
  onClose: () => void;
}) {
  const [giveBack] = useReturnItemMutation();
  async function confirm() {
    if (!item) return;
    const { error } = await giveBack({ orderId, itemId: item.id });
    onClose();
    // An error was already reported.
    if (!error) toast.success("退款已受理，款项将原路退回");
  }
  return (
    <ConfirmDialog
      open={item !== undefined}
      title={item ? `退款：${item.description}` : ""}
      danger
      confirmText="确认退款"
      onConfirm={confirm}
      onClose={onClose}
    >
      购买 {RETURN_DAYS} 天内、尚未下载的模型可以退款。退款后不能再下载，
      {item ? ` ¥${formatCents(item.amount)} ` : ""}将原路退回。
    </ConfirmDialog>
  );
}
