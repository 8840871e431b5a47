import Box from "@mui/material/Box";
import { alpha, type Theme } from "@mui/material/styles";
import { formatBytes } from "@/ui/bytes";
import type { TransactionListingShowReply, TransactionListingVersion } from "../../api/generated/transaction";
import { Pictures } from "./Pictures";
import { factsOf } from "./words";

type Rows = readonly (readonly [string, string])[];

const rowsOf = ({ format, bytes }: TransactionListingVersion, facts: Record<string, unknown>): Rows => [
  ["格式", format.toUpperCase()],
  ["文件大小", formatBytes(bytes)],
  ...factsOf(facts),
];

/** The version on sale beside the one under review, which has another file: figures, then pictures. */
export function OnSale({
  found,
  sold,
  looked,
}: {
  found: TransactionListingShowReply;
  sold: TransactionListingVersion;
  looked: TransactionListingVersion;
}) {
  const before = new Map(rowsOf(sold, found.approvedFacts));
  const after = new Map(rowsOf(looked, found.facts));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const titles = [`在售（第 ${sold.number} 版）`, `待审（第 ${looked.number} 版）`] as const;
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <Box component="table" sx={TABLE}>
        <thead>
          <tr>
            <th scope="col">检测结果</th>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const [was, is] = [before.get(name) ?? "—", after.get(name) ?? "—"];
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{was}</td>
                <td>
                  {was === is ? (
                    is
                  ) : (
                    <Box component="mark" sx={MARK}>
                      {is}
                    </Box>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Box>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(2, minmax(0, 1fr))" }}>
        {[sold, looked].map(({ pictures, number }, index) => (
          <Box key={number} sx={{ minWidth: 0 }}>
            <Box component="h3" sx={{ m: 0, mb: 1, fontSize: 13, fontWeight: 500 }}>
              {titles[index]}
            </Box>
            <Pictures pictures={pictures} label={titles[index]} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const MARK = {
  px: 0.5,
  borderRadius: "4px",
  color: "inherit",
  bgcolor: (theme: Theme) => alpha(theme.palette.warning.main, 0.16),
  fontWeight: 500,
};

const TABLE = {
  width: "100%",
  tableLayout: "fixed",
  borderCollapse: "collapse",
  fontSize: 13,
  lineHeight: "22px",
  "& th, & td": {
    py: 0.5,
    pr: 1,
    textAlign: "left",
    verticalAlign: "top",
    borderBottom: 1,
    borderColor: "divider",
    overflowWrap: "anywhere",
    fontVariantNumeric: "tabular-nums",
  },
  "& th": { color: "text.secondary", fontWeight: 400 },
  "& tr > :first-of-type": { width: { xs: 76, sm: 120 } },
} as const;
