import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import type { TransactionFacet, TransactionFacetBucket } from "@/calls/transaction";
import { calledBy } from "@/session";
import type { FacetName } from "./address";

/** Buckets of a facet shown at first; a click shows the others. */
export const FIRST = 8;

export interface FacetsProps {
  facets: readonly TransactionFacet[];
  query: URLSearchParams;
  onQuery: (query: URLSearchParams) => void;
}

/** Facets whose values come from the data: an address may have one that is not, or no longer, among them. */
const UNKNOWN: Partial<Record<FacetName, string>> = {
  category: "未知分类",
  format: "未知格式",
  label: "未知标签",
  seller: "未知作者",
};

/** The server returns what it does not know with its key as the name, and without a model; makers' keys are login ids. */
function nameOf(facet: FacetName, { key, name, count }: TransactionFacetBucket): string {
  if (count === 0 && (name === "" || name === key)) return UNKNOWN[facet] ?? key;
  return facet === "seller" ? calledBy(name, key) : name || key;
}

/** Keeps a chosen key without a bucket, so that it can be removed. */
export function bucketsOf(
  facets: readonly TransactionFacet[],
  name: FacetName,
  keys: readonly string[],
): TransactionFacetBucket[] {
  const buckets = facets.find((facet) => facet.name === name)?.buckets ?? [];
  const lost = keys.filter((key) => !buckets.some((bucket) => bucket.key === key));
  const all = [...lost.map((key) => ({ key, name: "", count: 0 })), ...buckets];
  return all.map((bucket) => ({ ...bucket, name: nameOf(name, bucket) }));
}

/** One value of a facet, to be chosen or taken back. */
export function FacetRow({
  bucket,
  on,
  onToggle,
}: {
  bucket: TransactionFacetBucket;
  on: boolean;
  onToggle: () => void;
}) {
  return (
    <ButtonBase
      disableRipple
      aria-pressed={on}
      onClick={onToggle}
      sx={(theme) => ({
        display: "flex",
        width: "100%",
        minHeight: { xs: 40, md: 32 },
        mx: -1,
        px: 1,
        gap: 1,
        borderRadius: 1,
        textAlign: "left",
        fontSize: 14,
        color: on ? theme.tokens.primaryHover : theme.tokens.text,
        fontWeight: on ? 500 : 400,
        backgroundColor: on ? theme.tokens.primarySoft : "transparent",
        "&:hover": { backgroundColor: on ? theme.tokens.primarySoft : "action.hover" },
        boxSizing: "content-box",
      })}
    >
      <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
        {bucket.name}
      </Box>
      <Box
        component="span"
        sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}
      >
        {bucket.count.toLocaleString("zh-CN")}
      </Box>
    </ButtonBase>
  );
}
