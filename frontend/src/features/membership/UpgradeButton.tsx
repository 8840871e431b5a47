import Button from "@mui/material/Button";
import { useShop } from "@/shop";
import type { Grade } from "@/ui/MemberBadge";
import { useGrade } from "./useGrade";

/** The next higher grade, if any. */
const ABOVE = {
  free: "basic",
  basic: "advanced",
  advanced: "professional",
  professional: undefined,
} as const;

/** Upsell button, shown when the user hits a limit of their plan: opens the purchase on the grade above. */
export function UpgradeButton() {
  const { grade, known }: { grade: Grade; known: boolean } = useGrade();
  const shop = useShop();
  const above = ABOVE[grade];
  if (!known || !above) return null;
  return (
    <Button color="inherit" size="small" onClick={() => shop.buy(above)} sx={{ whiteSpace: "nowrap" }}>
      {grade === "free" ? "开通会员" : "升级会员"}
    </Button>
  );
}
