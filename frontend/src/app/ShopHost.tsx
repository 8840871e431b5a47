import { lazy, Suspense, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { shopMessages } from "@/messages/shop";
import { useSession } from "@/session";
import { BUY_QUERY } from "@/shop";
import { giftToggled, type PaidGrade, purchaseOpened } from "@/shop/slice";
import { loadChunk } from "./chunk";
import { useAppDispatch, useAppSelector } from "./hooks";

const dialogs = () => loadChunk(() => import(/* webpackChunkName: "shop" */ "./shopDialogs"));
const PurchaseDialog = lazy(() => dialogs().then((module) => ({ default: module.PurchaseDialog })));
const PayDialog = lazy(() => dialogs().then((module) => ({ default: module.PayDialog })));
const GiftDialog = lazy(() => dialogs().then((module) => ({ default: module.GiftDialog })));
const OrderAlert = lazy(() => dialogs().then((module) => ({ default: module.OrderAlert })));
const Reminders = lazy(() =>
  import(/* webpackChunkName: "reminders" */ "@/features/coupons/Reminders").catch(() => ({
    // A reminder that cannot be loaded is not worth breaking a page for.
    default: () => null,
  })),
);

const GRADES: readonly string[] = ["basic", "advanced", "professional"];

/** Opens the purchase dialog where the address asks for it, and takes the question out of the address. */
function useBuyQuery(): void {
  const dispatch = useAppDispatch();
  const { signedIn } = useSession();
  const [query, setQuery] = useSearchParams();
  const asked = query.get(BUY_QUERY);
  useEffect(() => {
    if (asked === null || !signedIn) return;
    dispatch(purchaseOpened(GRADES.includes(asked) ? (asked as PaidGrade) : null));
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete(BUY_QUERY);
        return next;
      },
      { replace: true },
    );
  }, [asked, signedIn, dispatch, setQuery]);
}

/** The shop's dialogs over whatever page is open. Who buys nothing loads none of them. */
export function ShopHost() {
  const dispatch = useAppDispatch();
  const { signedIn } = useSession();
  const { purchase, payment, giftOpen } = useAppSelector((state) => state.shop);
  const [refusal, setRefusal] = useState("");
  const [wanted, setWanted] = useState(false);
  useBuyQuery();
  // Once loaded it stays, so that the dialog may close with its motion.
  if (purchase.open && !wanted) setWanted(true);

  return (
    <Suspense fallback={null}>
      {wanted && <PurchaseDialog onRefused={setRefusal} />}
      {payment.orderId !== "" && <PayDialog key={payment.orderId} orderId={payment.orderId} />}
      {giftOpen && <GiftDialog onClose={() => dispatch(giftToggled(false))} />}
      {refusal !== "" && (
        <OrderAlert title={shopMessages.orderAlertTitle} message={refusal} onClose={() => setRefusal("")} />
      )}
      {signedIn && <Reminders />}
    </Suspense>
  );
}
