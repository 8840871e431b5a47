import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import dayjs from "dayjs";
import { serverNow } from "@/api";
import type { OrderOrderSummary } from "@/calls/order";
import { OrderNumber } from "@/features/payment";
import { functionName, ORDER_STATUS, orderStatusOf } from "@/shop/labels";
import { Countdown } from "@/ui/Countdown";
import { formatCents } from "@/ui/Price";
import { StatusTag } from "@/ui/StatusTag";

export interface OrderActs {
  onOpen: (orderId: string) => void;
  onPay: (orderId: string) => void;
  onCancel: (orderId: string) => void;
  /** An order on this page has expired. */
  onEnd: () => void;
}

const isOpen = (order: OrderOrderSummary) => order.status === ORDER_STATUS.toBePaid;

function Name({ order, onOpen }: { order: OrderOrderSummary; onOpen: (orderId: string) => void }) {
  return (
    <ButtonBase
      disableRipple
      onClick={() => onOpen(order.orderId)}
      sx={{
        font: "inherit",
        fontWeight: 500,
        justifySelf: "start",
        textAlign: "left",
        borderRadius: "4px",
        "&:hover": { color: "primary.main" },
      }}
    >
      {order.description}
    </ButtonBase>
  );
}

function Status({ order, onEnd }: { order: OrderOrderSummary; onEnd: () => void }) {
  const status = orderStatusOf(order.status, order.fulfilled);
  return (
    <Box sx={{ display: "flex", alignItems: "center", flexWrap: "wrap", columnGap: 1 }}>
      <StatusTag tone={status.tone}>{status.text}</StatusTag>
      {isOpen(order) && (
        <Box component="span" sx={{ fontSize: 12, color: "#B45309", whiteSpace: "nowrap" }}>
          剩余 <Countdown until={order.expireTime} clock={serverNow} onEnd={onEnd} />
        </Box>
      )}
    </Box>
  );
}

function Amount({ order }: { order: OrderOrderSummary }) {
  return (
    <Box sx={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}>
      <Box component="span" sx={{ fontWeight: 600 }}>
        ¥{formatCents(order.payAble)}
      </Box>
      {order.payAble < order.amount && (
        <Box
          component="s"
          sx={{ display: "block", fontSize: 12, lineHeight: "18px", color: "text.secondary" }}
        >
          ¥{formatCents(order.amount)}
        </Box>
      )}
    </Box>
  );
}

function Actions({ order, acts }: { order: OrderOrderSummary; acts: OrderActs }) {
  if (!isOpen(order)) {
    return (
      <Button size="small" onClick={() => acts.onOpen(order.orderId)}>
        详情
      </Button>
    );
  }
  return (
    <Box sx={{ display: "inline-flex", gap: 1 }}>
      <Button size="small" color="inherit" onClick={() => acts.onCancel(order.orderId)}>
        取消
      </Button>
      <Button size="small" variant="contained" onClick={() => acts.onPay(order.orderId)}>
        去支付
      </Button>
    </Box>
  );
}

/** The orders as a dense table; as cards on narrow screens. */
export function OrderTable({ orders, acts }: { orders: readonly OrderOrderSummary[]; acts: OrderActs }) {
  return (
    <Box
      component="ul"
      aria-label="订单"
      sx={{
        m: 0,
        p: 0,
        listStyle: "none",
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        overflow: "hidden",
      }}
    >
      {orders.map((order) => (
        <Box
          component="li"
          key={order.orderId}
          sx={{ borderTop: 1, borderColor: "divider", "&:first-of-type": { borderTop: 0 } }}
        >
          <Box
            sx={{
              px: 2.5,
              py: 1,
              display: "flex",
              flexWrap: "wrap",
              columnGap: 3,
              fontSize: 12,
              color: "text.secondary",
              backgroundColor: "background.default",
              fontVariantNumeric: "tabular-nums",
            }}
          >
            <span>{dayjs(order.createTime).format("YYYY-MM-DD HH:mm:ss")}</span>
            <Box component="span" sx={{ overflowWrap: "anywhere" }}>
              订单号 <OrderNumber orderNo={order.orderNo} />
            </Box>
          </Box>
          <Box
            sx={{
              px: 2.5,
              py: 2,
              display: "grid",
              alignItems: "center",
              columnGap: 2,
              rowGap: 1,
              gridTemplateColumns: {
                xs: "minmax(0,1fr) auto",
                md: "minmax(0,2fr) 96px minmax(0,1.4fr) 120px 176px",
              },
            }}
          >
            <Name order={order} onOpen={acts.onOpen} />
            <Box sx={{ color: "text.secondary", display: { xs: "none", md: "block" } }}>
              {functionName(order.functionModule)}
            </Box>
            <Box sx={{ order: { xs: 3, md: 0 } }}>
              <Status order={order} onEnd={acts.onEnd} />
            </Box>
            <Box sx={{ textAlign: "right" }}>
              <Amount order={order} />
            </Box>
            <Box sx={{ textAlign: "right", order: { xs: 4, md: 0 } }}>
              <Actions order={order} acts={acts} />
            </Box>
          </Box>
        </Box>
      ))}
    </Box>
  );
}
