import { Suspense } from "react";
import { GiftBanner } from "@/features/coupons";
import { useSession } from "@/session";

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
