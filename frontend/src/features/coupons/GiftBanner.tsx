import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import GlobalStyles from "@mui/material/GlobalStyles";
import { useState } from "react";
import { useHasBeenGotCombinationCouponsQuery } from "@/calls/order";
import { doneToday, wasDoneToday } from "@/session/daily";
import { useShop } from "@/shop";
import { goldButton, golden } from "@/theme";
import { GIFT_COUNT, GIFT_VALID, GIFT_YUAN } from "./gift";

/** In pixels: how far it reaches up from the bottom of a phone and of other screens, and its own height. */
const REACH = { phone: 136, other: 88 };
const HEIGHT = 72;

/**
 * Offers the gift to users who have not received it; once closed, it returns the next day. An overlay, so that the page does not
 * shift; what has the focus scrolls out from under it, and so does the end of every page.
 */
export default function GiftBanner() {
  const { data: received } = useHasBeenGotCombinationCouponsQuery({});
  const [closed, setClosed] = useState(() => wasDoneToday("gift"));
  const shop = useShop();
  if (received !== false || closed) return null;
  return (
    <>
      <GlobalStyles
        styles={(theme) => ({
          html: {
            scrollPaddingBottom: REACH.phone,
            [theme.breakpoints.up("md")]: { scrollPaddingBottom: REACH.other },
          },
          "body:not(:has(footer))": { paddingBottom: HEIGHT },
          // more than the footer's own class says
          ":root footer:last-of-type": {
            paddingBottom: REACH.phone,
            [theme.breakpoints.up("md")]: { paddingBottom: REACH.other },
          },
        })}
      />
      <Box
        component="aside"
        aria-label="会员优惠券"
        sx={{
          display: "flex",
          alignItems: "center",
          justifyContent: "space-between",
          gap: { xs: 1, sm: 2 },
          minHeight: 44,
          px: 2,
          py: 0.5,
          fontSize: 14,
          color: golden.textStrong,
          backgroundColor: golden.soft,
          border: `1px solid ${golden.softLine}`,
          borderRadius: 2,
          boxShadow: "0 8px 24px rgba(16, 24, 40, .16)",
          position: "fixed",
          // Above the bottom bar of a phone, and below dialogs.
          bottom: { xs: "calc(72px + env(safe-area-inset-bottom))", md: 24 },
          left: "50%",
          transform: "translateX(-50%)",
          width: "max-content",
          maxWidth: "calc(100vw - 32px)",
          zIndex: "speedDial",
        }}
      >
        <span>
          {GIFT_COUNT}张会员优惠券待领取
          {/* On a phone the amount gets its own line, to avoid an arbitrary break. */}
          <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
            ，
          </Box>
          <Box component="span" sx={{ display: { xs: "block", sm: "inline" }, whiteSpace: "nowrap" }}>
            共 {GIFT_YUAN} 元
          </Box>
          <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
            ，{GIFT_VALID}
          </Box>
        </span>
        <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, flex: "none" }}>
          <Button size="small" variant="contained" onClick={shop.gift} sx={{ ...goldButton }}>
            领取
          </Button>
          <ButtonBase
            disableRipple
            aria-label="今天不再提示"
            onClick={() => {
              doneToday("gift");
              setClosed(true);
            }}
            sx={{ width: 36, height: 36, fontSize: 20, borderRadius: "4px" }}
          >
            ×
          </ButtonBase>
        </Box>
      </Box>
    </>
  );
}
