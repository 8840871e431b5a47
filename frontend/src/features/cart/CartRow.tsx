import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import type { TransactionCartItem } from "@/calls/transaction";
import { licenseOf } from "@/messages/licenses";
import { shopMessages } from "@/messages/shop";
import { modelPath } from "@/shop/paths";
import { formatCents, Price } from "@/ui/Price";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { isOrdered } from "./choice";

const SMALL = { fontSize: 12, lineHeight: "20px", color: "text.secondary" } as const;

/** Current price, with the price when it was added if that differs; crossed out if the price fell. */
function PriceNow({ item: { modelPrice, addedPrice } }: { item: TransactionCartItem }) {
  const fallen = addedPrice - modelPrice;
  return (
    <Box sx={{ display: "flex", flexDirection: "column", alignItems: { md: "flex-end" } }}>
      {modelPrice > 0 ? (
        <Price cents={modelPrice} size={18} />
      ) : (
        <Box component="span" sx={(theme) => ({ fontWeight: 600, color: theme.tokens.accentText })}>
          免费
        </Box>
      )}
      {fallen > 0 && (
        <Box sx={SMALL}>
          <s>¥{formatCents(addedPrice)}</s>{" "}
          <Box component="span" sx={{ whiteSpace: "nowrap" }}>
            {shopMessages.fallen(formatCents(fallen))}
          </Box>
        </Box>
      )}
      {fallen < 0 && (
        <Box sx={{ ...SMALL, color: "#B45309" }}>{shopMessages.risen(formatCents(addedPrice))}</Box>
      )}
    </Box>
  );
}

/** A model in the cart. Without `onChoose` it cannot be ordered; `children` say why. */
export function CartRow({
  item,
  chosen = false,
  busy,
  onChoose,
  onRemove,
}: {
  item: TransactionCartItem;
  chosen?: boolean;
  busy: boolean;
  onChoose?: (chosen: boolean) => void;
  onRemove: () => void;
}) {
  const { modelId, modelName, state } = item;
  const shown = state === "listed";
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        alignItems: "center",
        columnGap: { xs: 1, md: 2 },
        rowGap: 1,
        gridTemplateColumns: {
          xs: "40px 64px minmax(0,1fr)",
          md: "40px 72px minmax(0,1fr) minmax(120px,auto) 72px",
        },
        px: { xs: 1, md: 2 },
        py: 1.5,
        borderTop: 1,
        borderColor: "divider",
        "&:first-of-type": { borderTop: 0 },
      }}
    >
      {onChoose ? (
        <Checkbox
          checked={chosen}
          onChange={(event) => onChoose(event.target.checked)}
          slotProps={{ input: { "aria-label": `选择 ${modelName}` } }}
        />
      ) : (
        <span />
      )}
      <Thumb src={item.preview} size={64} />
      <Box sx={{ minWidth: 0 }}>
        {shown ? (
          <Link
            component={RouterLink}
            to={modelPath(modelId)}
            underline="hover"
            sx={{ fontWeight: 500, color: "text.primary", overflowWrap: "anywhere" }}
          >
            {modelName}
          </Link>
        ) : (
          <Box sx={{ fontWeight: 500, overflowWrap: "anywhere" }}>{modelName}</Box>
        )}
        <Box sx={SMALL}>
          {[
            licenseOf(item.license).title,
            item.formats
              .slice(0, 3)
              .map((format) => format.toUpperCase())
              .join("、"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Box>
        <Standing item={item} />
      </Box>
      {/* on a phone below the name, side by side */}
      <Box
        sx={{
          display: { xs: "flex", md: "contents" },
          gridColumn: "3",
          alignItems: "center",
          justifyContent: "space-between",
          gap: 1,
        }}
      >
        <PriceNow item={item} />
        <Button
          size="small"
          color="inherit"
          disabled={busy}
          aria-label={`移出 ${modelName}`}
          onClick={onRemove}
          sx={{ flex: "none", justifySelf: "end" }}
        >
          移出
        </Button>
      </Box>
    </Box>
  );
}

/** Why the item cannot be ordered, and what to do instead. */
function Standing({ item }: { item: TransactionCartItem }): ReactNode {
  if (isOrdered(item)) return null;
  const way = item.owned
    ? { to: "/workbench/myModel", text: "去我的模型" }
    : item.available
      ? { to: modelPath(item.modelId), text: "去领取" }
      : undefined;
  return (
    <Box sx={{ mt: 0.5, display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
      <StatusTag tone={item.owned || item.available ? "info" : "warning"}>
        {item.available ? shopMessages.nowFree : item.reason || shopMessages.notForSale}
      </StatusTag>
      {way && (
        <Link component={RouterLink} to={way.to} sx={{ fontSize: 12 }}>
          {way.text}
        </Link>
      )}
    </Box>
  );
}
