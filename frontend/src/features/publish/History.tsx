import Box from "@mui/material/Box";
import type { TransactionMakerListing } from "@/calls/transaction";
import { formatBytes } from "@/ui/bytes";
import { dateText } from "@/ui/dateText";
import { Panel } from "@/ui/Panel";
import { Thumb } from "@/ui/Thumb";
import { actionWord, versionWord } from "./words";

const rows = {
  listStyle: "none",
  m: 0,
  px: 2.5,
  pb: 2,
  "& > li": { py: 1.25 },
  "& > li + li": { borderTop: 1, borderColor: "divider" },
} as const;

/** Versions with their pictures and notes. */
export function Versions({ versions }: Pick<TransactionMakerListing, "versions">) {
  return (
    <Panel title="版本">
      <Box component="ul" sx={rows}>
        {versions.map((one) => (
          <li key={one.number}>
            <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "space-between", gap: 1 }}>
              <Box sx={{ fontWeight: 500 }}>{`第 ${one.number} 版　${versionWord(one.state)}`}</Box>
              <Box className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
                {[one.format.toUpperCase(), formatBytes(one.bytes), dateText(one.createdAt)].join("　")}
              </Box>
            </Box>
            {one.notes && (
              <Box sx={{ mt: 0.5, fontSize: 13, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
                {one.notes}
              </Box>
            )}
            {/* what was made of a version that was given up is deleted */}
            {one.state !== "discarded" && one.pictures.length > 0 && (
              <Box sx={{ mt: 1, display: "flex", flexWrap: "wrap", gap: 1 }}>
                {one.pictures
                  .filter(({ kind }) => kind !== "texture")
                  .map(({ url }) => (
                    <Thumb key={url} src={url} size={72} />
                  ))}
              </Box>
            )}
          </li>
        ))}
      </Box>
    </Panel>
  );
}

/** History of a listing, latest first, with the operators' remarks. */
export function Records({ records }: Pick<TransactionMakerListing, "records">) {
  return (
    <Panel title="审核记录">
      {records.length === 0 ? (
        <Box sx={{ px: 2.5, pb: 2, color: "text.secondary" }}>提交审核后，每一步都记在这里。</Box>
      ) : (
        <Box component="ol" sx={rows}>
          {records.map((one) => (
            <li key={`${one.at}${one.action}`}>
              <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "space-between", gap: 1 }}>
                <span>{actionWord(one, records)}</span>
                <Box className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
                  {dateText(one.at)}
                </Box>
              </Box>
              {one.reason && (
                <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary", overflowWrap: "anywhere" }}>
                  {one.reason}
                </Box>
              )}
            </li>
          ))}
        </Box>
      )}
    </Panel>
  );
}
