import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useState } from "react";
import type { FacetName } from "./address";
import { FACET_TITLES } from "./words";

/** A facet: its title and values, those that are not `kept` on demand; nothing without values. */
export function FacetGroup<T>({
  name,
  all,
  kept,
  children,
}: {
  name: FacetName;
  all: readonly T[];
  kept: (one: T, index: number) => boolean;
  children: (one: T) => ReactNode;
}) {
  const [whole, setWhole] = useState(false);
  if (all.length === 0) return null;
  const shown = whole ? all : all.filter(kept);
  return (
    <Box
      role="group"
      aria-label={FACET_TITLES[name]}
      sx={{ py: 2, borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
    >
      <Box sx={{ fontSize: 14, fontWeight: 600, mb: 0.5 }}>{FACET_TITLES[name]}</Box>
      {shown.map(children)}
      {all.length > shown.length && (
        <Button size="small" onClick={() => setWhole(true)} sx={{ ml: -0.75 }}>
          {`展开全部 ${all.length} 项`}
        </Button>
      )}
    </Box>
  );
}
