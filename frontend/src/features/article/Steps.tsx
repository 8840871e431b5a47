import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { type Block, keyed, type Step } from "./blocks";

const isShown = (block: Block) =>
  block.type === "model" || block.type === "picture" || block.type === "compare";

/** Ordered steps; the figures of a step are beside its text where there is room. */
export function Steps({
  items,
  heading,
  draw,
}: {
  items: readonly Step[];
  heading: "h2" | "h3";
  draw: (blocks: readonly Block[]) => ReactNode;
}) {
  return (
    <Box component="ol" sx={{ m: 0, mt: 3, p: 0, listStyle: "none" }}>
      {keyed(items).map(({ key, item: { title, blocks } }, at) => {
        const shown = blocks.filter(isShown);
        const said = blocks.filter((block) => !isShown(block));
        return (
          <Box
            component="li"
            key={key}
            sx={{
              position: "relative",
              pl: { xs: 5, md: 6 },
              pb: 5,
              // the line between the numbers
              "&:not(:last-of-type)::before": {
                content: '""',
                position: "absolute",
                left: 15,
                top: 36,
                bottom: 0,
                width: "2px",
                backgroundColor: "divider",
              },
            }}
          >
            <Box
              aria-hidden
              sx={(theme) => ({
                position: "absolute",
                left: 0,
                top: 0,
                width: 32,
                height: 32,
                borderRadius: "50%",
                display: "grid",
                placeItems: "center",
                fontWeight: 600,
                fontVariantNumeric: "tabular-nums",
                color: "primary.dark",
                backgroundColor: theme.tokens.primarySoft,
              })}
            >
              {at + 1}
            </Box>
            <Box component={heading} sx={{ m: 0, fontSize: 18, lineHeight: "32px", fontWeight: 600 }}>
              {title}
            </Box>
            <Box
              sx={{
                display: "grid",
                columnGap: 4,
                alignItems: "start",
                gridTemplateColumns: {
                  xs: "minmax(0,1fr)",
                  md: shown.length && said.length ? "minmax(0,1fr) minmax(0,1fr)" : "minmax(0,1fr)",
                },
              }}
            >
              {said.length > 0 && <Box sx={{ minWidth: 0 }}>{draw(said)}</Box>}
              {shown.length > 0 && (
                <Box sx={{ minWidth: 0, position: { md: "sticky" }, top: 96 }}>{draw(shown)}</Box>
              )}
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
