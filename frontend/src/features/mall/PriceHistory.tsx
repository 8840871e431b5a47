import Box from "@mui/material/Box";
import type { TransactionPricePoint } from "@/calls/transaction";
import { dayOf } from "@/ui/numbers";
import { formatCents } from "@/ui/Price";

const WIDTH = 320;
const HEIGHT = 72;
const DAYS = 90;
const PAD = 6;

/** SVG path of the price steps over the last 90 days; `now` in milliseconds. */
export function pricePath(prices: readonly TransactionPricePoint[], now: number): string {
  const from = now - DAYS * 86_400_000;
  const low = Math.min(...prices.map((one) => one.price));
  const high = Math.max(...prices.map((one) => one.price));
  const x = (at: number) => Math.round(Math.min(1, Math.max(0, (at - from) / (now - from))) * WIDTH);
  const y = (price: number) =>
    high === low ? HEIGHT / 2 : Math.round(PAD + (1 - (price - low) / (high - low)) * (HEIGHT - 2 * PAD));
  const steps = prices.map((one, i) =>
    i === 0 ? `M${x(one.at)} ${y(one.price)}` : `H${x(one.at)}V${y(one.price)}`,
  );
  return `${steps.join("")}H${WIDTH}`;
}

export function PriceHistory({ prices }: { prices: readonly TransactionPricePoint[] }) {
  if (prices.length === 0) return null;
  const all = prices.map((one) => one.price);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const words =
    low === high
      ? `近 90 天没有变动，一直是 ¥${formatCents(low)}`
      : `近 90 天最低 ¥${formatCents(low)}，最高 ¥${formatCents(high)}`;
  return (
    <Box>
      <Box sx={{ fontSize: 13, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>{words}</Box>
      {low !== high && (
        <>
          <Box
            component="svg"
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={prices.map((one) => `${dayOf(one.at)} ¥${formatCents(one.price)}`).join("，")}
            sx={{ display: "block", width: "100%", height: HEIGHT, mt: 1, color: "primary.main" }}
          >
            <path
              d={pricePath(prices, Date.now())}
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
          </Box>
          <Box
            sx={{ display: "flex", justifyContent: "space-between", fontSize: 12, color: "text.secondary" }}
          >
            <span>90 天前</span>
            <span>今天</span>
          </Box>
        </>
      )}
    </Box>
  );
}
