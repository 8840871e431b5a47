import Box from "@mui/material/Box";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import type { TransactionListing, TransactionListingTwin } from "../../api/generated/transaction";
import { Facts } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { Nothing } from "../../kit/states";
import { Maker } from "./Maker";
import { pathOf, priceText } from "./words";

/** Other makers' models of similar shape and the maker's own of the same file, beside the one under review. */
export function Twins({ own, twins }: { own: TransactionListing; twins: readonly TransactionListingTwin[] }) {
  if (twins.length === 0) return <Nothing title="没有相似的模型" />;
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {twins.map(({ listing, likeness, equal }) => (
        <Box
          key={listing.listingId}
          sx={{
            display: "grid",
            gap: 2,
            alignItems: "center",
            gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "auto minmax(0, 1fr)" },
            "& + &": { borderTop: 1, borderColor: "divider", pt: 2 },
          }}
        >
          <Box sx={{ display: "flex", gap: 1 }}>
            <Thumb src={own.thumbUrl} size={112} />
            <Thumb src={listing.thumbUrl} size={112} />
          </Box>
          <Box sx={{ minWidth: 0, display: "grid", gap: 1 }}>
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
              <RowLink to={pathOf(listing.listingId)}>{listing.name}</RowLink>
              <StatusTag tone={equal ? "danger" : "warning"}>
                {equal ? "文件完全相同" : `相似度 ${likeness}%`}
              </StatusTag>
            </Box>
            <Facts
              facts={[
                ["作者", listing.seller === own.seller ? "同一作者" : <Maker key="maker" of={listing} />],
                [
                  "三角面",
                  `${own.triangles.toLocaleString("zh-CN")} 与 ${listing.triangles.toLocaleString("zh-CN")}`,
                ],
                ["价格", `${priceText(own.price)} 与 ${priceText(listing.price)}`],
              ]}
            />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
