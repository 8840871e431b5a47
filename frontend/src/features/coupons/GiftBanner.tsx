import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import { useState } from "react";
import { useOrderHasBeenGotCombinationCouponsQuery } from "@/calls/order";
import { useShop } from "@/shop";
import { closedToday, wasClosedToday } from "./daily";
import { GIFT_COUNT, GIFT_VALID, GIFT_YUAN } from "./gift";

/** The strip that offers the gift to whoever has not received it; closed, it comes back the next day. */
export default function GiftBanner({ card = false }: { card?: boolean }) {
  const { data: received } = useOrderHasBeenGotCombinationCouponsQuery({});
  const [closed, setClosed] = useState(() => wasClosedToday("gift"));
  const shop = useShop();
  if (received !== false || closed) return null;
  return (
    <Box
      component="aside"
      aria-label="会员优惠券"
      sx={{
        display: "flex",
        alignItems: "center",
        justifyContent: card ? "space-between" : "center",
        gap: { xs: 1, sm: 2 },
        minHeight: 44,
        px: 2,
        py: 0.5,
        mb: card ? 3 : 0,
        fontSize: 14,
        color: "#5C420F",
        backgroundColor: "#FFF3D6",
        border: card ? "1px solid #EBD6A6" : 0,
        borderRadius: card ? 2 : 0,
        position: "relative",
      }}
    >
      <span>
        {GIFT_COUNT}张会员优惠券待领取，共 {GIFT_YUAN} 元
        <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
          ，{GIFT_VALID}
        </Box>
      </span>
      <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, flex: "none" }}>
        <Button
          size="small"
          variant="contained"
          onClick={shop.gift}
          sx={{ color: "#fff", backgroundColor: "#8A6116", "&:hover": { backgroundColor: "#6F4D10" } }}
        >
          领取
        </Button>
        <ButtonBase
          disableRipple
          aria-label="今天不再提示"
          onClick={() => {
            closedToday("gift");
            setClosed(true);
          }}
          sx={{ width: 36, height: 36, fontSize: 20, borderRadius: "4px" }}
        >
          ×
        </ButtonBase>
      </Box>
    </Box>
  );
}
