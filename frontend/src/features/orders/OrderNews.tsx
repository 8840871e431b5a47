import { useCallback, useEffect, useRef } from "react";
import { invalidateOrder, STALE_BY_ORDER } from "@/calls/order";
import { useNews } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";
import { useWindowReturn } from "@/ui/useWindowReturn";

/** Debounce: events of one order arrive in a burst, each just before its transaction ends. */
const PAUSE_MS = 300;

/** Keeps orders, balances, coupons and grade up to date in every tab: on push, and when the tab is focused again. */
export default function OrderNews() {
  const dispatch = useAppDispatch();
  const timer = useRef(0);

  const refresh = useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => dispatch(invalidateOrder([...STALE_BY_ORDER])), PAUSE_MS);
  }, [dispatch]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  useNews("ORDER", refresh);
  useWindowReturn(refresh);
  return null;
}
