import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import type { TransactionMakerListing } from "@/calls/transaction";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { useCategories } from "./categories";
import {
  allowed,
  detailsPath,
  LICENSE_CHOICES,
  mallPath,
  newsWord,
  ORIGIN_CHOICES,
  priceText,
  RELEASED,
  stateWord,
  titleOf,
} from "./words";

/** Columns of the maker's listings, with their selection. */
export function useListingColumns({
  chosen,
  onChoose,
}: {
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}): readonly Column<TransactionMakerListing>[] {
  const { nameOf } = useCategories();
  return [
    {
      key: "choose",
      title: "选择",
      width: 48,
      render: ({ listing: { listingId, name } }) => (
        <Checkbox
          size="small"
          checked={chosen.includes(listingId)}
          onChange={(_, on) =>
            onChoose(on ? [...chosen, listingId] : chosen.filter((id) => id !== listingId))
          }
          slotProps={{ input: { "aria-label": `选择 ${name}` } }}
          sx={{ p: 0.5, ml: -0.5 }}
        />
      ),
    },
    {
      key: "name",
      title: "模型",
      render: (row) => (
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: { md: 160 } }}>
          <Thumb src={row.listing.thumbUrl} />
          <Box sx={{ minWidth: 0 }}>
            <Link
              component={RouterLink}
              to={detailsPath(row.listing.listingId)}
              sx={{ overflowWrap: "anywhere" }}
            >
              {row.listing.name}
            </Link>
            <Box sx={{ display: { md: "none" }, fontSize: 12, color: "text.secondary" }}>
              {priceText(row.listing.price)}
            </Box>
            {row.reason && (
              <Box title={row.reason} sx={REASON}>
                {row.reason}
              </Box>
            )}
          </Box>
        </Box>
      ),
    },
    { key: "category", title: "分类", secondary: true, render: ({ listing }) => nameOf(listing.categoryId) },
    {
      key: "terms",
      title: "授权与来源",
      secondary: true,
      render: ({ listing }) =>
        `${titleOf(LICENSE_CHOICES, listing.license)}，${titleOf(ORIGIN_CHOICES, listing.origin)}`,
    },
    {
      key: "price",
      title: "价格",
      numeric: true,
      secondary: true,
      render: ({ listing }) => priceText(listing.price),
    },
    {
      key: "state",
      title: "状态",
      render: (row) => {
        const { text, tone } = stateWord(row);
        const news = row.state in RELEASED && row.versionState !== "ready" && row.versionState !== "";
        return (
          <>
            <StatusTag tone={tone}>{text}</StatusTag>
            {news && <Box sx={{ fontSize: 12, color: "text.secondary" }}>{`新版本${newsWord(row)}`}</Box>}
          </>
        );
      },
    },
    {
      key: "time",
      title: "更新时间",
      numeric: true,
      secondary: true,
      render: ({ listing }) => dateText(listing.updatedAt),
    },
    {
      key: "act",
      title: "操作",
      secondary: true,
      render: (row) => (
        <>
          <Act row={row} to={detailsPath} text={allowed(row).texts ? "编辑" : "查看"} />
          {row.state === "listed" && <Act row={row} to={mallPath} text="在商城查看" />}
        </>
      ),
    },
  ];
}

function Act({
  row: { listing },
  to,
  text,
}: {
  row: TransactionMakerListing;
  to: (listingId: string) => string;
  text: string;
}) {
  return (
    <Button
      component={RouterLink}
      to={to(listing.listingId)}
      size="small"
      sx={{ minWidth: 0, whiteSpace: "nowrap" }}
      aria-label={`${text} ${listing.name}`}
    >
      {text}
    </Button>
  );
}

/** A long reason does not push the other rows away; the listing's page has all of it. */
const REASON = {
  fontSize: 12,
  color: "error.main",
  overflowWrap: "anywhere",
  overflow: "hidden",
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: "2",
} as const;
