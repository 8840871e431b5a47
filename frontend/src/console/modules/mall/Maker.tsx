import Box from "@mui/material/Box";
import { withSeenTurns } from "@/lib/direction";
import type { TransactionListing } from "../../api/generated/transaction";
import { RowLink } from "../../kit/RowLink";

type Who = Pick<TransactionListing, "seller" | "sellerName">;

/** A listing's maker by name, with the id below; by the id alone where there is no name. */
export function Maker({ of: { seller, sellerName }, linked = false }: { of: Who; linked?: boolean }) {
  const name = sellerName || seller;
  return (
    <Box sx={{ minWidth: 0, overflowWrap: "anywhere", unicodeBidi: "isolate" }}>
      {linked ? <RowLink to={`/users/${encodeURIComponent(seller)}`}>{name}</RowLink> : withSeenTurns(name)}
      {sellerName && <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{seller}</Box>}
    </Box>
  );
}
