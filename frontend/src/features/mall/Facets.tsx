import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Drawer from "@mui/material/Drawer";
import { useState } from "react";
import Close from "@/ui/icons/Close";
import { chosen, cleared, FACETS, type FacetName, toggled } from "./address";
import { CategoryFacet } from "./CategoryFacet";
import { FacetGroup } from "./FacetGroup";
import { bucketsOf, FacetRow, type FacetsProps, FIRST } from "./FacetRow";
import { FACET_TITLES } from "./words";

function Facet({ name, facets, query, onQuery }: FacetsProps & { name: FacetName }) {
  const keys = chosen(query, name);
  return (
    <FacetGroup
      name={name}
      all={bucketsOf(facets, name, keys)}
      kept={({ key }, i) => i < FIRST || keys.includes(key)}
    >
      {(bucket) => (
        <FacetRow
          key={bucket.key}
          bucket={bucket}
          on={keys.includes(bucket.key)}
          onToggle={() => onQuery(toggled(query, name, bucket.key))}
        />
      )}
    </FacetGroup>
  );
}

export function FacetList(props: FacetsProps) {
  return (
    <>
      {FACETS.map((name) =>
        name === "category" ? (
          <CategoryFacet key={name} {...props} />
        ) : (
          <Facet key={name} name={name} {...props} />
        ),
      )}
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
