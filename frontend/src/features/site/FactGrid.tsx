import Box from "@mui/material/Box";

export interface Fact {
  title: string;
  text: string;
}

/** Statements side by side, separated by a line instead of boxes. */
export function FactGrid({ facts, columns = 3 }: { facts: readonly Fact[]; columns?: 2 | 3 | 4 }) {
  return (
    <Box
      sx={{
        display: "grid",
        columnGap: 6,
        rowGap: { xs: 3, md: 5 },
        gridTemplateColumns: {
          xs: "1fr",
          sm: columns === 4 ? "1fr 1fr" : "1fr",
          md: `repeat(${columns}, 1fr)`,
        },
      }}
    >
      {facts.map((fact) => (
        <Box key={fact.title} sx={{ borderTop: 1, borderColor: "divider", pt: 2.5 }}>
          <Box component="h3" sx={{ m: 0, fontSize: 18, lineHeight: "28px", fontWeight: 600 }}>
            {fact.title}
          </Box>
          <Box component="p" sx={{ m: 0, mt: 1, lineHeight: "24px", color: "text.secondary" }}>
            {fact.text}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
