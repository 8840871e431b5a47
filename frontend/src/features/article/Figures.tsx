import Box from "@mui/material/Box";
import { monoFamily } from "@/theme/tokens";
import { type Block, keyed } from "./blocks";

type Figure = Extract<Block, { type: "figure" }>;

/** Measured numbers, each with its label and the run that it comes from. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <Box
      sx={{
        mt: 3,
        display: "grid",
        gap: 2,
        gridTemplateColumns: "repeat(auto-fit, minmax(min(200px, 100%), 1fr))",
      }}
    >
      {keyed(figures).map(({ key, item: { value, source, note } }) => (
        <Box
          key={key}
          component="figure"
          sx={{ m: 0, pl: 2, py: 0.5, borderLeft: 3, borderColor: "secondary.main", minWidth: 0 }}
        >
          <Box sx={{ fontSize: 30, lineHeight: "40px", fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
            {value}
          </Box>
          <Box component="figcaption" sx={{ fontSize: 14, color: "text.secondary" }}>
            {note}
            {source && (
              <Box sx={{ mt: 0.5, fontSize: 12, overflowWrap: "anywhere" }}>
                出处：
                <Box component="span" sx={{ fontFamily: monoFamily }}>
                  {source}
                </Box>
              </Box>
            )}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
