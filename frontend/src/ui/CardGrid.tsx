import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";

export function CardGrid({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{
        listStyle: "none",
        m: 0,
        p: 0,
        display: "grid",
        gap: { xs: 1.5, sm: 2 },
        gridTemplateColumns: {
          xs: "repeat(2, minmax(0, 1fr))",
          sm: "repeat(3, minmax(0, 1fr))",
          md: "repeat(4, minmax(0, 1fr))",
        },
        "& > li": { minWidth: 0 },
      }}
    >
      {children}
    </Box>
  );
}

/** Placeholders of the cards' size, so that the layout does not shift. */
export function CardsWaiting({
  count,
  what = "模型",
  facts = false,
}: {
  count: number;
  what?: string;
  /** The cards have a line of facts. */
  facts?: boolean;
}) {
  return (
    <Box role="status" aria-label={`正在加载${what}`}>
      <CardGrid>
        {Array.from({ length: count }, (_, index) => `w${index}`).map((key) => (
          <Box
            component="li"
            key={key}
            aria-hidden
            sx={{ border: 1, borderColor: "divider", borderRadius: 2, overflow: "hidden" }}
          >
            <Skeleton variant="rectangular" sx={{ height: "auto", aspectRatio: "1" }} />
            <Box sx={{ p: 1.5, height: facts ? 118 : 98 }}>
              <Skeleton variant="text" sx={{ width: "72%" }} />
              <Skeleton variant="text" sx={{ width: "48%" }} />
            </Box>
          </Box>
        ))}
      </CardGrid>
    </Box>
  );
}
