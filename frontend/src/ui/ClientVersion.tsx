import Box from "@mui/material/Box";
import { CopyText } from "./CopyText";

const LABEL = { fontSize: 13, color: "text.secondary" } as const;

/** What is stated of the desktop client: its version, what is new in it, and the checksum of its file. */
export function ClientVersion({
  version,
  notes,
  sha256,
}: {
  version?: string | null;
  notes?: string | null;
  sha256?: string | null;
}) {
  return (
    <Box sx={{ display: "grid", gap: 1.5, overflowWrap: "anywhere" }}>
      {version && (
        <Box>
          <Box component="span" sx={{ ...LABEL, mr: 1 }}>
            版本
          </Box>
          {version}
        </Box>
      )}
      {notes && (
        <Box>
          <Box sx={LABEL}>更新说明</Box>
          <Box
            role="region"
            aria-label="更新说明"
            // The arrow keys scroll a long one, of which half a line tells that there is more.
            tabIndex={0}
            sx={{ mt: 0.5, maxHeight: 156, overflowY: "auto", whiteSpace: "pre-wrap", lineHeight: "24px" }}
          >
            {notes}
          </Box>
        </Box>
      )}
      {sha256 && (
        <Box>
          <Box sx={LABEL}>SHA-256</Box>
          <Box sx={{ mt: 0.5, fontSize: 13 }}>
            <CopyText text={sha256} label=" SHA-256" />
          </Box>
        </Box>
      )}
    </Box>
  );
}
