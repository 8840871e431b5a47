import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import type { OrderOrderItem } from "@/calls/order";
import { formatCents } from "@/ui/Price";

/** Items visible without scrolling; half of the next one hints at more. */
const SHOWN = 8;

/** The items of an order with their prices. Many scroll in their own box. */
export function OrderItems({
  items,
  size = 14,
  beside,
}: {
  items: readonly OrderOrderItem[];
  size?: number;
  /** Content below an item's name. */
  beside?: (item: OrderOrderItem) => ReactNode;
}) {
  return (
    <Box
      component="ul"
      aria-label="订单明细"
      // Scrollable content must be reachable by keyboard.
      tabIndex={items.length > SHOWN ? 0 : undefined}
      sx={{ m: 0, p: 0, listStyle: "none", fontSize: size, maxHeight: (SHOWN + 0.5) * 32, overflowY: "auto" }}
    >
      {items.map((item) => (
        <Box
          component="li"
          key={item.id}
          sx={{ display: "flex", justifyContent: "space-between", gap: 2, py: 0.5, lineHeight: "24px" }}
        >
          <Box component="span" sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
            {item.description}
            {beside?.(item)}
          </Box>
          <Box component="span" sx={{ flex: "none", fontVariantNumeric: "tabular-nums" }}>
            ¥{formatCents(item.amount)}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
