import { Suspense } from "react";
import { GiftBanner } from "@/features/coupons";
import { useSession } from "@/session";

/** The offer of the gift over a page, for who is signed in; a visitor never loads it. */
export function GiftStrip() {
  const { signedIn } = useSession();
  if (!signedIn) return null;
  return (
    <Suspense fallback={null}>
      <GiftBanner />
    </Suspense>
  );
}
