import { useEffect } from "react";
import AccountHome from "@/pages/account";
import { useShop } from "@/shop";

/** The purchase dialog at an address of its own, over the personal centre's first page. */
export default function VipPackagePage() {
  const shop = useShop();
  useEffect(() => shop.buy(), [shop]);
  return <AccountHome />;
}
