import Box from "@mui/material/Box";
import dayjs from "dayjs";
import type { ReactNode } from "react";
import { golden } from "@/theme";
import { formatCents } from "@/ui/Price";

const trim = (cents: number) => formatCents(cents).replace(/\.00$/, "");

/** A coupon as a slip: value on the left, use on the right, a torn edge between. */
export function CouponTicket({
  worth,
  name,
  minAmount,
  until,
  faded = false,
  mark,
  action,
}: {
  /** Cents off, or a discount as text. */
  worth: number | string;
  name: string;
  /** Cents: minimum price. */
  minAmount: number;
  /** Validity as text. */
  until: string;
  faded?: boolean;
  mark?: string;
  action?: ReactNode;
}) {
  return (
    <Box
      sx={{
        display: "flex",
        minHeight: 104,
        borderRadius: 2,
        overflow: "hidden",
        border: "1px solid",
        borderColor: faded ? "divider" : golden.softLine,
        backgroundColor: "background.paper",
      }}
    >
      <Box
        sx={{
          flex: "none",
          width: 116,
          display: "grid",
          placeContent: "center",
          textAlign: "center",
          color: faded ? "text.secondary" : golden.text,
          backgroundColor: faded ? "background.default" : "#FFF7E6",
          borderRight: "2px dashed",
          borderColor: faded ? "divider" : golden.softLine,
        }}
      >
        <Box sx={{ fontWeight: 600, lineHeight: "36px", fontVariantNumeric: "tabular-nums" }}>
          {typeof worth === "number" ? (
            <>
              <Box component="span" sx={{ fontSize: 16, mr: "2px" }}>
                ¥
              </Box>
              <Box component="span" sx={{ fontSize: 32 }}>
                {trim(worth)}
              </Box>
            </>
          ) : (
            <Box component="span" sx={{ fontSize: 28 }}>
              {worth}
            </Box>
          )}
        </Box>
        <Box sx={{ fontSize: 12, lineHeight: "18px" }}>满 {trim(minAmount)} 元可用</Box>
      </Box>
      <Box
        sx={{
          flex: 1,
          minWidth: 0,
          p: { xs: 1.5, sm: 2 },
          display: "flex",
          alignItems: "center",
          gap: { xs: 1, sm: 1.5 },
        }}
      >
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ fontWeight: 500, color: faded ? "text.secondary" : "text.primary" }}>{name}</Box>
          <Box sx={{ mt: 0.25, fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>仅限购买会员</Box>
          {/* breaks at the space between day and time, never within 到期 */}
          <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary", wordBreak: "keep-all" }}>
            {until}
          </Box>
        </Box>
        {mark && (
          <Box component="span" sx={{ flex: "none", fontSize: 12, color: "text.secondary" }}>
            {mark}
          </Box>
        )}
        {action}
      </Box>
    </Box>
  );
}

/** A time as shown on coupons. */
export const dayText = (time: number): string => dayjs(time).format("YYYY-MM-DD HH:mm");
