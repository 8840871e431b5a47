import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { GiftDialog } from "@/features/coupons";
import { isPaidGrade, OrderAlert, PurchaseDialog } from "@/features/membership";
import { PayDialog } from "@/features/payment";
import { useSession } from "@/session";
import { BUY_QUERY } from "@/shop";
import { giftToggled, purchaseOpened } from "@/shop/slice";
import { useAppDispatch, useAppSelector } from "@/store/hooks";

/** Opens the purchase dialog if the address asks for it, and removes the parameter. */
function useBuyQuery(): void {
  const dispatch = useAppDispatch();
  const { signedIn } = useSession();
  const [query, setQuery] = useSearchParams();
  const asked = query.get(BUY_QUERY);
  useEffect(() => {
    if (asked === null || !signedIn) return;
    dispatch(purchaseOpened(isPaidGrade(asked) ? asked : null));
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

/** The shop's dialogs over any page. */
export default function ShopDialogs() {
  const dispatch = useAppDispatch();
  const { payment, giftOpen } = useAppSelector((state) => state.shop);
  const [refusal, setRefusal] = useState("");
  useBuyQuery();
  return (
    <>
      <PurchaseDialog onRefused={setRefusal} />
      {payment.orderId !== "" && (
        <PayDialog key={payment.orderId} orderId={payment.orderId} couponId={payment.couponId} />
      )}
      {giftOpen && <GiftDialog onClose={() => dispatch(giftToggled(false))} />}
      {refusal !== "" && <OrderAlert message={refusal} onClose={() => setRefusal("")} />}
    </>
  );
}
