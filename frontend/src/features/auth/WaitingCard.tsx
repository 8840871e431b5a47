import Box from "@mui/material/Box";
import CircularProgress from "@mui/material/CircularProgress";
import Typography from "@mui/material/Typography";
import { authMessages } from "@/messages/auth";

/** Placeholder of the card while the server checks the provider's answer. */
export function WaitingCard({ titleId, provider }: { titleId: string; provider: string }) {
  return (
    <Box
      role="status"
      sx={{ p: 4, minHeight: 320, display: "grid", placeContent: "center", justifyItems: "center", gap: 2 }}
    >
      <CircularProgress size={28} aria-hidden="true" />
      <Typography id={titleId} component="h1" sx={{ fontSize: 16 }}>
        {authMessages.thirdPartyWaiting(provider)}
      </Typography>
    </Box>
  );
}
