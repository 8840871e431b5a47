import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Drawer from "@mui/material/Drawer";
import { useState } from "react";
import type { TransactionFacet, TransactionFacetBucket } from "@/calls/transaction";
import { calledBy } from "@/session";
import Close from "@/ui/icons/Close";
import { chosen, cleared, FACETS, type FacetName, toggled } from "./address";
import { FACET_TITLES } from "./words";

/** Buckets of a facet shown at first; a click shows the others. */
const FIRST = 8;

interface FacetsProps {
  facets: readonly TransactionFacet[];
  query: URLSearchParams;
  onQuery: (query: URLSearchParams) => void;
}

/** Keeps a chosen key without a bucket, so that it can be removed. Makers' keys are login ids. */
function bucketsOf(
  facets: readonly TransactionFacet[],
  name: FacetName,
  keys: readonly string[],
): TransactionFacetBucket[] {
  const buckets = facets.find((facet) => facet.name === name)?.buckets ?? [];
  const lost = keys.filter((key) => !buckets.some((bucket) => bucket.key === key));
  const all = [...lost.map((key) => ({ key, name: "", count: 0 })), ...buckets];
  const nameOf = ({ key, name: known }: TransactionFacetBucket) =>
    name === "seller" ? calledBy(known) : known || key;
  return all.map((bucket) => ({ ...bucket, name: nameOf(bucket) }));
}

function Facet({ name, facets, query, onQuery }: FacetsProps & { name: FacetName }) {
  const [whole, setWhole] = useState(false);
  const keys = chosen(query, name);
  const buckets = bucketsOf(facets, name, keys);
  if (buckets.length === 0) return null;
  const shown = whole ? buckets : buckets.filter(({ key }, i) => i < FIRST || keys.includes(key));
  return (
    <Box
      role="group"
      aria-label={FACET_TITLES[name]}
      sx={{ py: 2, borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
    >
      <Box sx={{ fontSize: 14, fontWeight: 600, mb: 0.5 }}>{FACET_TITLES[name]}</Box>
      {shown.map((bucket) => {
        const on = keys.includes(bucket.key);
        return (
          <ButtonBase
            key={bucket.key}
            disableRipple
            aria-pressed={on}
            onClick={() => onQuery(toggled(query, name, bucket.key))}
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
      })}
      {buckets.length > shown.length && (
        <Button size="small" onClick={() => setWhole(true)} sx={{ ml: -0.75 }}>
          {`展开全部 ${buckets.length} 项`}
        </Button>
      )}
    </Box>
  );
}

export function FacetList(props: FacetsProps) {
  return (
    <>
      {FACETS.map((name) => (
        <Facet key={name} name={name} {...props} />
      ))}
    </>
  );
}

/** The chosen filters, each with a button to remove it. */
export function ChosenFacets({ facets, query, onQuery }: FacetsProps) {
  const all = FACETS.flatMap((facet) => {
    const keys = chosen(query, facet);
    const buckets = bucketsOf(facets, facet, keys);
    return keys.map((key) => ({ facet, key, name: buckets.find((one) => one.key === key)?.name ?? key }));
  });
  if (all.length === 0) return null;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mb: 2 }}>
      {all.map(({ facet, key, name }) => (
        <ButtonBase
          key={`${facet}/${key}`}
          disableRipple
          aria-label={`取消筛选：${FACET_TITLES[facet]} ${name}`}
          onClick={() => onQuery(toggled(query, facet, key))}
          sx={(theme) => ({
            height: 32,
            px: 1.25,
            gap: 0.5,
            borderRadius: 1,
            fontSize: 13,
            color: theme.tokens.primaryHover,
            backgroundColor: theme.tokens.primarySoft,
          })}
        >
          {name}
          <Close sx={{ fontSize: 14 }} />
        </ButtonBase>
      ))}
      <Button size="small" color="inherit" onClick={() => onQuery(cleared(query))}>
        全部清除
      </Button>
    </Box>
  );
}

/** The facets on a phone: a button that opens a sheet. */
export function FacetDrawer({ total, ...props }: FacetsProps & { total?: number }) {
  const [open, setOpen] = useState(false);
  const count = FACETS.reduce((sum, facet) => sum + chosen(props.query, facet).length, 0);
  return (
    <>
      <Button variant="outlined" color="inherit" size="small" onClick={() => setOpen(true)}>
        {count > 0 ? `筛选 ${count}` : "筛选"}
      </Button>
      <Drawer
        anchor="right"
        open={open}
        onClose={() => setOpen(false)}
        slotProps={{ paper: { sx: { width: "min(340px, 88vw)" }, role: "dialog", "aria-label": "筛选" } }}
      >
        <Box sx={{ flex: 1, overflowY: "auto", px: 2.5 }}>
          <FacetList {...props} />
        </Box>
        <Box sx={{ p: 2, display: "flex", gap: 1, borderTop: 1, borderColor: "divider" }}>
          <Button fullWidth color="inherit" onClick={() => props.onQuery(cleared(props.query))}>
            清除
          </Button>
          <Button fullWidth variant="contained" onClick={() => setOpen(false)}>
            {total === undefined ? "查看结果" : `查看 ${total.toLocaleString("zh-CN")} 个`}
          </Button>
        </Box>
      </Drawer>
    </>
  );
}
