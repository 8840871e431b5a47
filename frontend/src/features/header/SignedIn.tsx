import { CART_PAGE, useTransactionGetCartListQuery } from "@/calls/transaction";
import { useAvatarData } from "@/features/avatar";
import { useSession } from "@/session";
import { gradeOf } from "@/ui/MemberBadge";
import { AccountMenu, RightParts } from "./RightParts";

/** The right end of the header with what the server says of the person. */
export default function SignedIn() {
  const { avatar, nickname } = useSession();
  const cart = useTransactionGetCartListQuery(CART_PAGE);
  const { info } = useAvatarData();
  return (
    <RightParts
      cartCount={cart.data?.totalCount}
      grade={gradeOf(info?.memberGradeName, info?.memberStatus)}
      expires={info?.expirationTime}
      account={<AccountMenu url={info?.avatar ?? avatar} name={info?.nickName || nickname} />}
    />
  );
}
