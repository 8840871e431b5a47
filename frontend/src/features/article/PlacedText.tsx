import Box from "@mui/material/Box";
import { Blocks } from "./Blocks";
import type { Kind } from "./kinds";
import { usePlaced } from "./usePlaced";

/** The article of this address, below a page with content of its own; nothing if there is no article. */
export function PlacedText({ kind }: { kind: Kind }) {
  const { state } = usePlaced(kind);
  if (state.state !== "shown") return null;
  return (
    <Box component="article" sx={{ maxWidth: 860, mx: "auto", px: 2.5, pb: { xs: 6, md: 10 } }}>
      <Blocks blocks={state.blocks} />
    </Box>
  );
}
