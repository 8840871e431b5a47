import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import { useFindByOrderIdQuery, useGetByIdQuery } from "@/calls/order";
import { shopMessages } from "@/messages/shop";
import { useAuthDialog, useSession } from "@/session";
import { useShop } from "@/shop";
import { ORDER_STATUS } from "@/shop/labels";
import { EmptyState } from "@/ui/EmptyState";
import { Price } from "@/ui/Price";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Outcome } from "./Outcome";
import { Paid } from "./Paid";
import { POLL_MS } from "./usePayment";

function Back({ to, text }: { to: string; text: string }) {
  return (
    <Button component={Link} to={to} variant="outlined">
      {text}
    </Button>
  );
}

function Standing({ orderId }: { orderId: string }) {
  const order = useGetByIdQuery({ orderId }, { refetchOnMountOrArgChange: true });
  const open = order.data?.status === ORDER_STATUS.toBePaid;
  const poll = useFindByOrderIdQuery({ orderId }, { skip: !open, pollingInterval: POLL_MS });
  const shop = useShop();
  if (order.isLoading) return <LinesSkeleton lines={5} />;
  if (!order.data) {
    return (
      <EmptyState
        dense
        kind="error"
        title="订单没有读取成功"
        hint="订单不存在，或者网络不通。"
        action={
          <>
            <Button variant="outlined" onClick={order.refetch}>
              重试
            </Button>
            <Back to="/workbench/myOrder" text="我的订单" />
          </>
        }
      />
    );
  }
  const status = poll.data && open ? poll.data.status : order.data.status;
  if (status === ORDER_STATUS.paid) return <Paid order={order.data} />;
  if (status !== ORDER_STATUS.toBePaid) {
    return (
      <Outcome
        kind="over"
        title={status === ORDER_STATUS.cancelled ? shopMessages.cancelled : shopMessages.timedOut}
        actions={<Back to="/workbench/myOrder" text="我的订单" />}
      />
    );
  }
  return (
    <Box sx={{ textAlign: "center", py: 2 }}>
      <Box sx={{ color: "text.secondary" }}>{order.data.description}</Box>
      <Box sx={{ mt: 1 }}>
        <Price cents={order.data.amount} size={32} />
      </Box>
      <Box role="status" sx={{ mt: 1, fontSize: 12, color: "text.secondary" }}>
        还没有收到付款结果，收到后本页会自动更新
      </Box>
      <Box sx={{ mt: 3, display: "flex", justifyContent: "center", gap: 1.5 }}>
        <Back to="/workbench/myOrder" text="我的订单" />
        <Button variant="contained" onClick={() => shop.pay(orderId)}>
          去支付
        </Button>
      </Box>
    </Box>
  );
}

/** State of one order, by its address: external payments return here. */
export function OrderPage() {
  const [query] = useSearchParams();
  const orderId = query.get("orderId") ?? "";
  const { signedIn } = useSession();
  const auth = useAuthDialog();
  useEffect(() => {
    if (!signedIn && orderId) auth.open("login");
  }, [signedIn, orderId, auth]);
  return (
    <Box
      sx={{
        width: "100%",
        maxWidth: 520,
        p: { xs: 2.5, sm: 4 },
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
      }}
    >
      <Box component="h1" sx={{ m: 0, mb: 2, fontSize: 20, lineHeight: "30px", fontWeight: 600 }}>
        {shopMessages.payTitle}
      </Box>
      {orderId === "" ? (
        <EmptyState
          dense
          kind="search"
          title="没有指定要支付的订单"
          hint="请从“我的订单”里打开要支付的订单。"
          action={<Back to="/workbench/myOrder" text="我的订单" />}
        />
      ) : signedIn ? (
        <Standing key={orderId} orderId={orderId} />
      ) : (
        <EmptyState
          dense
          kind="closed"
          title="登录后查看订单"
          action={
            <Button variant="contained" onClick={() => auth.open("login")}>
              登录
            </Button>
          }
        />
      )}
    </Box>
  );
}
