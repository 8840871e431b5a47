import Box from "@mui/material/Box";
import { isOpenPath } from "@/app/paths";

/** Stands behind a link to a page that has not been built yet, so that nobody opens it for nothing. */
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
        // of the text around it: it stands on light ground and on the hero
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
