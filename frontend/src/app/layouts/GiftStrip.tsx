import { Suspense } from "react";
import { useSession } from "@/session";
import { optional } from "../chunk";

const GiftBanner = optional(
  () => import(/* webpackChunkName: "gift-banner" */ "@/features/coupons/GiftBanner"),
);

/** The offer of the gift, for who is signed in; a visitor never loads it. `card`: inside a page rather than above one. */
export function GiftStrip({ card = false }: { card?: boolean }) {
  const { signedIn } = useSession();
  if (!signedIn) return null;
  return (
    <Suspense fallback={null}>
      <GiftBanner card={card} />
    </Suspense>
  );
}
