import { Suspense } from "react";
import { GiftBanner } from "@/features/coupons";
import { useSession } from "@/session";

/** The gift offer above a page, for signed-in users; visitors never load it. */
export function GiftStrip() {
  const { signedIn } = useSession();
  if (!signedIn) return null;
  return (
    <Suspense fallback={null}>
      <GiftBanner />
    </Suspense>
  );
}
