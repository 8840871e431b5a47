import Box from "@mui/material/Box";
import { isOpenPath } from "@/app/paths";

/** Marks a link to a page that has not been built yet. */
export function SoonTag({ to }: { to: string }) {
  if (isOpenPath(to)) return null;
  return (
    <Box
      component="span"
      sx={{
        ml: 0.75,
        px: 0.5,
        fontSize: 11,
        lineHeight: "16px",
        borderRadius: "4px",
        // the text colour: used on light backgrounds and on the hero
        color: "inherit",
        border: "1px solid",
        borderColor: "color-mix(in srgb, currentColor 24%, transparent)",
        fontWeight: 400,
        whiteSpace: "nowrap",
      }}
    >
      筹备中
    </Box>
  );
}
