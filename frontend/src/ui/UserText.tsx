import Box from "@mui/material/Box";
import type { SxProps, Theme } from "@mui/material/styles";
import { withSeenTurns } from "@/lib/direction";

/** A text of a user with its lines: neither its words nor its marks of direction change what is around it. */
export function UserText({ children, sx }: { children: string; sx?: SxProps<Theme> }) {
  return (
    <Box
      sx={[
        { whiteSpace: "pre-wrap", overflowWrap: "anywhere", unicodeBidi: "isolate" },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    >
      {withSeenTurns(children)}
    </Box>
  );
}
