import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { shopMessages } from "@/messages/shop";
import { golden } from "@/theme";
import { formatCents } from "@/ui/Price";
import { MethodIcon } from "./MethodIcon";
import { METHOD_NAMES, type Method, type Offer, shortOf } from "./methods";

const NOTES: Partial<Record<Method, string>> = { wechat: "扫码支付", alipay: "前往支付宝收银台" };

function noteOf(offer: Offer, short: number): string {
  if (offer.disabled) return offer.disabled;
  if (offer.counts) return shopMessages.countsLeft(offer.counts.left, offer.counts.needed);
  if (offer.balance === undefined) return NOTES[offer.method] ?? "";
  const held = `余额 ¥${formatCents(offer.balance)}`;
  return short > 0 ? `${held}，还差 ¥${formatCents(short)}` : held;
}

/** The payment methods, one of them chosen; an insufficient balance links to its recharge. */
export function MethodList({
  offers,
  chosen,
  toPay,
  gold,
  onChoose,
  onRecharge,
}: {
  offers: readonly Offer[];
  chosen: Method;
  /** Cents. */
  toPay: number;
  /** The colour of memberships instead of the primary one. */
  gold: boolean;
  onChoose: (method: Method) => void;
  /** Called with the missing cents. */
  onRecharge: (short: number) => void;
}) {
  return (
    <Box
      component="fieldset"
      sx={{ m: 0, p: 0, border: 1, borderColor: "divider", borderRadius: 2, overflow: "hidden" }}
    >
      <Box
        component="legend"
        sx={{ position: "absolute", width: "1px", height: "1px", clipPath: "inset(50%)" }}
      >
        支付方式
      </Box>
      {offers.map((offer, index) => {
        const short = shortOf(offer, toPay);
        const active = offer.method === chosen;
        const off = offer.disabled !== undefined;
        return (
          <Box
            key={offer.method}
            sx={{
              display: "flex",
              alignItems: "center",
              pr: 2,
              borderTop: index === 0 ? 0 : 1,
              borderColor: "divider",
              backgroundColor: ({ tokens }) =>
                active && !off ? (gold ? tokens.goldSoft : tokens.primarySoft) : "transparent",
            }}
          >
            <Box
              component="label"
              sx={{
                flex: 1,
                minWidth: 0,
                display: "flex",
                alignItems: "center",
                gap: 1.5,
                px: 2,
                minHeight: 60,
                cursor: off ? "not-allowed" : "pointer",
                opacity: off ? 0.62 : 1,
              }}
            >
              <Box
                component="input"
                type="radio"
                name="method"
                value={offer.method}
                checked={active}
                disabled={off}
                onChange={() => onChoose(offer.method)}
                aria-label={METHOD_NAMES[offer.method]}
                aria-describedby={`method-note-${offer.method}`}
                sx={{
                  accentColor: (theme) => (gold ? golden.solid : theme.palette.primary.main),
                  width: 16,
                  height: 16,
                  m: 0,
                  flex: "none",
                }}
              />
              <MethodIcon method={offer.method} />
              <Box sx={{ minWidth: 0 }}>
                <Box sx={{ fontWeight: 500 }}>{METHOD_NAMES[offer.method]}</Box>
                <Box
                  id={`method-note-${offer.method}`}
                  sx={{
                    fontSize: 12,
                    lineHeight: "18px",
                    color: short > 0 && !off ? "#B45309" : "text.secondary",
                    fontVariantNumeric: "tabular-nums",
                  }}
                >
                  {noteOf(offer, short)}
                </Box>
              </Box>
            </Box>
            {offer.method === "cloudCoin" && short > 0 && !off && (
              <Button size="small" variant="outlined" onClick={() => onRecharge(short)} sx={{ flex: "none" }}>
                充值
              </Button>
            )}
          </Box>
        );
      })}
    </Box>
  );
}
