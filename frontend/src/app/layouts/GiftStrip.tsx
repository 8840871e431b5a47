import { lazy, Suspense } from "react";
import { useSession } from "@/session";

const GiftBanner = lazy(() =>
  import(/* webpackChunkName: "gift-banner" */ "@/features/coupons/GiftBanner").catch(() => ({
    // An offer that cannot be loaded is not worth breaking a page for.
    default: () => null,
  })),
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
