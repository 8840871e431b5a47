import { useEffect } from "react";
import { CART_PAGE, useGetCartListQuery } from "@/calls/transaction";
import { useAvatarData } from "@/features/avatar";
import { certifiedOf } from "@/ui/CertifiedBadge";
import { gradeOf } from "@/ui/MemberBadge";
import type { KnownPerson } from "./RightParts";

/** Reports the user's server data to the right end of the header; renders nothing. */
export default function SignedIn({ onKnown }: { onKnown: (person: KnownPerson) => void }) {
  const { data: cart } = useGetCartListQuery(CART_PAGE);
  const { info } = useAvatarData();
  useEffect(() => {
    onKnown({
      cartCount: cart?.totalCount,
      grade: gradeOf(info),
      expires: info?.expirationTime,
      avatar: info?.avatar,
      name: info?.nickName,
      certified: certifiedOf(info?.checkStatus, Boolean(info?.companyDetailInfo)),
    });
  }, [cart, info, onKnown]);
  return null;
}
