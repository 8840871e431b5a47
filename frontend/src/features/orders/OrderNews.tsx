import { useCallback, useEffect, useRef } from "react";
import { invalidateOrder, STALE_BY_ORDER } from "@/calls/order";
import { useNews } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";

/** News of one order come in a row, each a moment before its transaction ends. */
const PAUSE_MS = 300;
/** Who switches to and fro is not served by asking each time. */
const LOOK_MS = 2_000;

/** Keeps orders, balances, coupons and grade up to date in every tab: as the server tells, and on coming back. */
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
