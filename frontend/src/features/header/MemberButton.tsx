import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import dayjs from "dayjs";
import { useShop } from "@/shop";
import { type Grade, MemberBadge } from "@/ui/MemberBadge";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";

/** The member's grade and its expiry; opens the purchase. */
export default function MemberButton({ grade, expires }: { grade: Grade; expires: number | null }) {
  const shop = useShop();
  const day = expires ? dayjs(expires).format("YYYY-MM-DD") : "";
  return (
    <ButtonBase
      disableRipple
      onClick={() => shop.buy()}
      sx={{
        display: { xs: "none", lg: "inline-flex" },
        mx: 0.5,
        gap: 0.75,
        font: "inherit",
        borderRadius: "4px",
      }}
    >
      <MemberBadge grade={grade} />
      {day && (
        <Box
          component="span"
          sx={{
            fontSize: 12,
            opacity: 0.75,
            fontVariantNumeric: "tabular-nums",
            "@media (max-width: 1319px)": { display: "none" },
          }}
        >
          {day} 到期
        </Box>
      )}
      <Box component="span" sx={VISUALLY_HIDDEN}>
        ，续费升级
      </Box>
    </ButtonBase>
  );
}
