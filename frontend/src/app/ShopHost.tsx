import { lazy, Suspense, useState } from "react";
import { useLocation } from "react-router";
import { CertificationNews } from "@/features/certification";
import { Reminders } from "@/features/coupons";
import { MessageNews } from "@/features/messages";
import { OrderNews } from "@/features/orders";
import { loadChunk } from "@/lib/chunk";
import { useSession } from "@/session";
import { BUY_QUERY } from "@/shop";
import { useAppSelector } from "@/store/hooks";

const ShopDialogs = lazy(() => loadChunk(() => import(/* webpackChunkName: "shop" */ "./ShopDialogs")));

/** Loads the shop's dialogs when one is first opened, so that visitors who buy nothing do not load them. */
export function ShopHost() {
  const { signedIn } = useSession();
  const { search } = useLocation();
  const open = useAppSelector(
    ({ shop }) => shop.purchase.open || shop.payment.orderId !== "" || shop.giftOpen,
  );
  const asked = signedIn && search.includes(`${BUY_QUERY}=`);
  const [loaded, setLoaded] = useState(false);
  // Once loaded they stay, so that each may close with its animation.
  if ((open || asked) && !loaded) setLoaded(true);
  return (
    <Suspense fallback={null}>
      {loaded && <ShopDialogs />}
      {signedIn && <Reminders />}
      {signedIn && <MessageNews />}
      {signedIn && <OrderNews />}
      {signedIn && <CertificationNews />}
    </Suspense>
  );
}
