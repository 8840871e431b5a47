import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { invalidateOrder, type OrderOrderInfo, STALE_BY_ORDER, useFindByOrderIdQuery } from "@/calls/order";
import { navigateTo, reloadPage } from "@/lib/navigation";
import { shopMessages } from "@/messages/shop";
import { renewToken } from "@/session";
import { paymentClosed, paymentOpened, paymentSucceeded } from "@/shop/slice";
import { successTarget } from "@/shop/target";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { MEMBERSHIP } from "./methods";
import { Outcome } from "./Outcome";

/** Seconds until the page is left. */
const SECONDS = 3;
/** Polling interval for the delivery of a paid order. */
const DELIVERY_MS = 1_000;

/**
 * Successful payment: refreshes header and lists once the order is delivered (a membership also renews the token), and leaves the
 * page after three seconds.
 */
export function Paid({ order }: { order: OrderOrderInfo }) {
  const { orderId } = order;
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  const { returnTo } = useAppSelector((state) => state.shop.payment);
  const { isNotJump } = useAppSelector((state) => state.shop.payConfig);
  const [left, setLeft] = useState(SECONDS);
  const [delivered, setDelivered] = useState(false);
  const { data } = useFindByOrderIdQuery(
    { orderId },
    { pollingInterval: delivered ? 0 : DELIVERY_MS, refetchOnMountOrArgChange: true },
  );
  const fulfilled = data?.fulfilled === true;

  const refresh = useCallback(async () => {
    if (order.functionModule === MEMBERSHIP) await dispatch(renewToken());
    dispatch(invalidateOrder([...STALE_BY_ORDER]));
  }, [dispatch, order.functionModule]);

  const refreshed = useRef(false);
  useEffect(() => {
    if (!fulfilled || refreshed.current) return;
    refreshed.current = true;
    setDelivered(true);
    void refresh();
  }, [fulfilled, refresh]);

  const leave = useCallback(async () => {
    // The order is not delivered yet: refreshes what is known so far.
    if (!refreshed.current) {
      refreshed.current = true;
      await refresh();
    }
    if (returnTo) {
      dispatch(paymentOpened({ orderId: returnTo, isNotJump }));
      return;
    }
    dispatch(paymentClosed());
    if (isNotJump) {
      dispatch(paymentSucceeded({ orderId }));
      return;
    }
    const target = successTarget(pathname);
    if (target) navigateTo(target);
    else reloadPage();
  }, [dispatch, refresh, returnTo, isNotJump, orderId, pathname]);

  useEffect(() => {
    if (left > 0) {
      const timer = window.setTimeout(() => setLeft(left - 1), 1_000);
      return () => window.clearTimeout(timer);
    }
    void leave();
  }, [left, leave]);

  return (
    <Outcome
      kind="success"
      title={shopMessages.succeeded(Math.max(1, left))}
      actions={
        <Button variant="contained" onClick={() => setLeft(0)}>
          {returnTo ? "继续支付原订单" : "现在就去"}
        </Button>
      }
    >
      {order.description}
      {order.isBuyType === "buymodel" && <Box>{shopMessages.inMyModels}</Box>}
    </Outcome>
  );
}
