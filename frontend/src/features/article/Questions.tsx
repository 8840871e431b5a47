import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import ChevronDown from "@/ui/icons/KeyboardArrowDownOutlined";
import { type Block, keyed, type Question } from "./blocks";

/**
 * Collapsible questions; `draw` renders the blocks of an answer. Uses `<details>`, so that find-in-page also searches folded
 * answers.
 */
export function Questions({
  items,
  draw,
}: {
  items: readonly Question[];
  draw: (blocks: readonly Block[]) => ReactNode;
}) {
  return (
    <Box sx={{ mt: 3, borderTop: 1, borderColor: "divider" }}>
      {keyed(items).map(({ key, item: { question, blocks } }) => (
        <Box
          key={key}
          component="details"
          sx={{
            borderBottom: 1,
            borderColor: "divider",
            "& > summary": {
              display: "flex",
              justifyContent: "space-between",
              alignItems: "center",
              gap: 2,
              py: 2,
              cursor: "pointer",
              listStyle: "none",
              fontSize: 16,
              fontWeight: 500,
              "&::-webkit-details-marker": { display: "none" },
            },
            "& > summary svg": { flex: "none", transition: "transform 160ms ease-out" },
            "&[open] > summary svg": { transform: "rotate(180deg)" },
            "@media (prefers-reduced-motion: reduce)": { "& > summary svg": { transition: "none" } },
          }}
        >
          <summary>
            {question}
            <ChevronDown sx={{ fontSize: 20, color: "text.secondary" }} />
          </summary>
          <Box sx={{ pb: 3, mt: -1.5 }}>{draw(blocks)}</Box>
        </Box>
      ))}
    </Box>
  );
}
