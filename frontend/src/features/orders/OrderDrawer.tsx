import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import dayjs from "dayjs";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { serverNow } from "@/api";
import { type OrderOrderInfo, type OrderOrderItem, useGetByIdQuery } from "@/calls/order";
import { OrderItems, OrderNumber } from "@/features/payment";
import { shopMessages } from "@/messages/shop";
import { countsOf } from "@/shop/counts";
import { CHANNEL_NAMES, functionName, ORDER_STATUS, orderStatusOf, transactionName } from "@/shop/labels";
import { Countdown } from "@/ui/Countdown";
import CloseIcon from "@/ui/icons/CloseOutlined";
import { formatCents, Price } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { ItemState, ReturnDialog } from "./Returns";

const moment = (time: number | null) => (time === null ? "—" : dayjs(time).format("YYYY-MM-DD HH:mm:ss"));

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box sx={{ display: "flex", gap: 2, py: 1 }}>
      <Box component="dt" sx={{ flex: "none", width: 88, color: "text.secondary" }}>
        {title}
      </Box>
      <Box
        component="dd"
        sx={{ m: 0, minWidth: 0, overflowWrap: "anywhere", fontVariantNumeric: "tabular-nums" }}
      >
        {children}
      </Box>
    </Box>
  );
}

function Facts({
  order,
  onEnd,
  onReturn,
}: {
  order: OrderOrderInfo;
  onEnd: () => void;
  onReturn: (item: OrderOrderItem) => void;
}) {
  const status = orderStatusOf(order.status, order.fulfilled);
  const open = order.status === ORDER_STATUS.toBePaid;
  const counted = order.payMethod === "memberFree";
  const off = counted ? 0 : order.amount - order.payAble;
  return (
    <>
      <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 2 }}>
        <StatusTag tone={status.tone}>{status.text}</StatusTag>
        {open && (
          <Box sx={{ fontSize: 12, color: "#B45309" }}>
            剩余 <Countdown until={order.expireTime} clock={serverNow} onEnd={onEnd} />
          </Box>
        )}
      </Box>
      <Box sx={{ mt: 2, fontSize: 16, fontWeight: 600 }}>{order.description}</Box>
      <Box sx={{ mt: 0.5 }}>
        <Price cents={order.payAble} size={28} />
      </Box>
      {order.orderDetailList.length > 0 && (
        <Box sx={{ mt: 2 }}>
          <OrderItems
            items={order.orderDetailList}
            beside={(item) => <ItemState order={order} item={item} onReturn={onReturn} />}
          />
        </Box>
      )}
      <Box component="dl" sx={{ m: 0, mt: 2, pt: 1, borderTop: 1, borderColor: "divider" }}>
        <Row title="订单号">
          <OrderNumber orderNo={order.orderNo} />
        </Row>
        <Row title="类型">
          {[...new Set([functionName(order.functionModule), transactionName(order.orderType)])].join(" · ")}
        </Row>
        <Row title="原价">¥{formatCents(order.amount)}</Row>
        {off > 0 && <Row title="优惠">-¥{formatCents(off)}</Row>}
        {counted && <Row title="抵扣">{shopMessages.countsTaken(countsOf(order))}</Row>}
        <Row title={order.status === ORDER_STATUS.paid ? "实付" : "应付"}>¥{formatCents(order.payAble)}</Row>
        <Row title="下单时间">{moment(order.createTime)}</Row>
        {order.payTime !== null && <Row title="付款时间">{moment(order.payTime)}</Row>}
        {order.payMethod && <Row title="支付方式">{CHANNEL_NAMES[order.payMethod] ?? order.payMethod}</Row>}
      </Box>
    </>
  );
}

/** Details of an order, at the right edge; full width on a phone. */
export function OrderDrawer({
  orderId,
  onClose,
  onPay,
  onCancel,
}: {
  /** Empty: closed. */
  orderId: string;
  onClose: () => void;
  onPay: (orderId: string) => void;
  onCancel: (orderId: string) => void;
}) {
  const order = useGetByIdQuery({ orderId }, { skip: orderId === "", refetchOnMountOrArgChange: true });
  const data = order.currentData;
  const [returning, setReturning] = useState<OrderOrderItem>();
  const open = data?.status === ORDER_STATUS.toBePaid;
  return (
    <Drawer
      anchor="right"
      open={orderId !== ""}
      onClose={onClose}
      slotProps={{
        paper: { sx: { width: { xs: "100%", sm: 440 } }, "aria-label": "订单详情", role: "dialog" },
      }}
    >
      <Box
        sx={{
          flex: "none",
          height: 64,
          pl: 3,
          pr: 1.5,
          display: "flex",
          alignItems: "center",
          justifyContent: "space-between",
          borderBottom: 1,
          borderColor: "divider",
        }}
      >
        <Box component="h2" sx={{ m: 0, fontSize: 16, fontWeight: 600 }}>
          订单详情
        </Box>
        <IconButton aria-label="关闭" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </Box>
      <Box sx={{ flex: 1, overflowY: "auto", p: 3 }}>
        {data ? (
          <Facts order={data} onEnd={order.refetch} onReturn={setReturning} />
        ) : order.isError ? (
          <ReadFailed dense what="订单" onRetry={order.refetch} />
        ) : (
          <LinesSkeleton lines={8} />
        )}
      </Box>
      {data?.isBuyType === "buymodel" && data.fulfilled && (
        <Box sx={{ flex: "none", p: 2, borderTop: 1, borderColor: "divider" }}>
          <Button component={Link} to="/workbench/myModel?way=bought" fullWidth variant="contained">
            去我的模型下载
          </Button>
        </Box>
      )}
      <ReturnDialog orderId={orderId} item={returning} onClose={() => setReturning(undefined)} />
      {open && (
        <Box sx={{ flex: "none", p: 2, display: "flex", gap: 1.5, borderTop: 1, borderColor: "divider" }}>
          <Button fullWidth variant="outlined" onClick={() => onCancel(orderId)}>
            取消订单
          </Button>
          <Button fullWidth variant="contained" onClick={() => onPay(orderId)}>
            去支付
          </Button>
        </Box>
      )}
    </Drawer>
  );
}
