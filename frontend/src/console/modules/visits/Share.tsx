import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import type { ReactNode } from "react";

/** A table whose rows are bars: figures to read, lengths to compare. */
export function ShareTable({
  caption,
  heads,
  children,
}: {
  caption: string;
  heads: readonly string[];
  children: ReactNode;
}) {
  return (
    <Box
      component="table"
      aria-label={caption}
      sx={{
        width: "100%",
        tableLayout: "fixed",
        borderCollapse: "collapse",
        "& th, & td": { textAlign: "right", fontWeight: 400 },
        "& th:first-of-type": { textAlign: "left" },
        "& td": { fontVariantNumeric: "tabular-nums" },
        "& thead th": { fontSize: 12, color: "text.secondary" },
        // The card's wide tables do not wrap; here names do.
        "& tbody th": { whiteSpace: "nowrap" },
      }}
    >
      <colgroup>
        <col />
        {heads.slice(1).map((head) => (
          <col key={head} style={{ width: 92 }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Box>
  );
}

/** One row: its name over a bar scaled to the largest. */
export function Share({ name, part, cells }: { name: string; part: number; cells: readonly string[] }) {
  const { tokens } = useTheme();
  return (
    <tr>
      <th scope="row">
        <Box title={name} sx={{ overflow: "hidden", textOverflow: "ellipsis" }}>
          {name}
        </Box>
        <Box
          aria-hidden="true"
          sx={{ mt: 0.25, mb: 0.25, height: 4, borderRadius: 2, bgcolor: "action.hover" }}
        >
          <Box
            sx={{
              height: 4,
              borderRadius: 2,
              minWidth: part > 0 ? 4 : 0,
              width: `${Math.min(1, part) * 100}%`,
              backgroundColor: tokens.primary,
            }}
          />
        </Box>
      </th>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order
        <td key={index}>{cell}</td>
      ))}
    </tr>
  );
}
