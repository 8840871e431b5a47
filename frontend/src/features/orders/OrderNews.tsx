import { useCallback, useEffect, useRef } from "react";
import { invalidateOrder, STALE_BY_ORDER } from "@/calls/order";
import { useNews } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";

/** Debounce: events of one order arrive in a burst, each just before its transaction ends. */
const PAUSE_MS = 300;
/** Minimum interval between refetches when the user switches back and forth. */
const LOOK_MS = 2_000;

/** Keeps orders, balances, coupons and grade up to date in every tab: on push, and when the tab is focused again. */
export default function OrderNews() {
  const dispatch = useAppDispatch();
  const timer = useRef(0);
  const refreshed = useRef(Date.now());

  const refresh = useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      refreshed.current = Date.now();
      dispatch(invalidateOrder([...STALE_BY_ORDER]));
    }, PAUSE_MS);
  }, [dispatch]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  useNews("ORDER", refresh);

  useEffect(() => {
    const back = () => {
      if (document.visibilityState === "visible" && Date.now() - refreshed.current > LOOK_MS) refresh();
    };
    document.addEventListener("visibilitychange", back);
    window.addEventListener("focus", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      window.removeEventListener("focus", back);
    };
  }, [refresh]);
  return null;
}
