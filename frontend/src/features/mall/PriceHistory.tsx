import Box from "@mui/material/Box";
import type { TransactionPricePoint } from "@/calls/transaction";
import { dayOf } from "@/ui/numbers";
import { formatCents } from "@/ui/Price";

const WIDTH = 320;
const HEIGHT = 72;
const DAY = 86_400_000;
const DAYS = 90;
const PAD = 6;
/** Days that a line needs: before, words say it better. */
const FEWEST = 2;

type Prices = readonly TransactionPricePoint[];

const yuan = ({ price }: TransactionPricePoint) => `¥${formatCents(price)}`;

/** Where the line begins: 90 days ago, or at the first price if that is later. */
const beginOf = (prices: Prices, now: number) => Math.max(now - DAYS * DAY, prices[0]?.at ?? 0);

/** SVG path of the price steps over the last 90 days; `now` in milliseconds. */
export function pricePath(prices: Prices, now: number): string {
  const from = beginOf(prices, now);
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

/** The last change of a price that is too young for a line. */
function changeOf(prices: Prices, now: number): string {
  const [before, last] = prices.slice(-2);
  if (!before || !last) return "";
  const names: Record<string, string> = { [dayOf(now)]: "今天", [dayOf(now - DAY)]: "昨天" };
  return `${names[dayOf(last.at)] ?? dayOf(last.at)}从 ${yuan(before)} 改为 ${yuan(last)}`;
}

export function PriceHistory({ prices, now = Date.now() }: { prices: Prices; now?: number }) {
  const first = prices[0];
  const last = prices.at(-1);
  if (!first || !last) return null;
  const all = prices.map((one) => one.price);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const young = now - first.at < FEWEST * DAY;
  const words =
    low === high
      ? `近 90 天没有变动，一直是 ¥${formatCents(low)}`
      : young
        ? changeOf(prices, now)
        : `近 90 天最低 ¥${formatCents(low)}，最高 ¥${formatCents(high)}`;
  return (
    <Box>
      <Box sx={{ fontSize: 13, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>{words}</Box>
      {low !== high && !young && (
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
              d={pricePath(prices, now)}
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
          </Box>
          <Box
            sx={{
              mt: 0.5,
              display: "flex",
              justifyContent: "space-between",
              fontSize: 12,
              color: "text.secondary",
              fontVariantNumeric: "tabular-nums",
            }}
          >
            <span>{`${first.at > now - DAYS * DAY ? dayOf(first.at) : "90 天前"}　${yuan(first)}`}</span>
            <span>{`今天　${yuan(last)}`}</span>
          </Box>
        </>
      )}
    </Box>
  );
}
