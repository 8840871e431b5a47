import Box from "@mui/material/Box";
import type { Theme } from "@mui/material/styles";
import type { ReactNode } from "react";
import { withSeenTurns } from "@/lib/direction";
import { ScrollBox } from "./ScrollBox";
import { TableSkeleton } from "./Skeletons";
import { VISUALLY_HIDDEN } from "./visuallyHidden";

export interface Column<Row> {
  key: string;
  title: string;
  /** Right-aligned, with tabular figures. */
  numeric?: boolean;
  width?: number | string;
  /** Hidden on narrow screens. */
  secondary?: boolean;
  render: (row: Row) => ReactNode;
}

/** A table as cards on a narrow screen, whatever a place says of the cells of its tables. */
const CARDS = (theme: Theme) => ({
  [theme.breakpoints.down("md")]: {
    "&&": { display: "block" },
    "&& thead": VISUALLY_HIDDEN,
    "&& tbody": { display: "block" },
    "&& tr": { display: "block", padding: "8px 0" },
    "&& tr + tr": { borderTop: 1, borderColor: "divider" },
    "&&& td:not(.secondary)": {
      display: "grid",
      gridTemplateColumns: "80px minmax(0, 1fr)",
      columnGap: 1.5,
      justifyItems: "start",
      padding: "2px 16px",
      border: 0,
      whiteSpace: "normal",
      textAlign: "left",
    },
    "&& td::before": { content: "attr(data-title)", color: "text.secondary" },
    "&&& td .text": { display: "block", maxWidth: "none", overflowWrap: "anywhere", whiteSpace: "normal" },
  },
});

/** A plain, dense table with its loading and empty states; scrolls horizontally. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  loading = false,
  empty,
  cards = false,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  loading?: boolean;
  empty?: ReactNode;
  /** On a narrow screen each row is a card, its values beside their titles, instead of a line that scrolls. */
  cards?: boolean;
}) {
  // what is drawn as a card is a table no less
  const role = (name: string) => (cards ? name : undefined);
  if (loading) return <TableSkeleton rows={5} columns={columns.length} />;
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <ScrollBox label={`${caption}的表格`}>
      <Box
        component="table"
        role={role("table")}
        sx={[
          {
            width: "100%",
            borderCollapse: "collapse",
            fontSize: 14,
            "& th, & td": {
              px: { xs: 1.25, md: 2 },
              py: 1.25,
              textAlign: "left",
              borderBottom: 1,
              borderColor: "divider",
            },
            "& th": {
              fontSize: 12,
              fontWeight: 500,
              color: "text.secondary",
              backgroundColor: "background.default",
              whiteSpace: "nowrap",
            },
            "& tr > :first-of-type": { pl: 2.5 },
            "& tr > :last-of-type": { pr: 2.5 },
            "& tbody tr:last-of-type td": { borderBottom: 0 },
            "& tbody tr:hover": { backgroundColor: "action.hover" },
            "& .num": {
              textAlign: "right",
              fontVariantNumeric: "tabular-nums",
              whiteSpace: "nowrap",
            },
            "& .text": { unicodeBidi: "isolate" },
            "& .secondary": { display: { xs: "none", md: "table-cell" } },
          },
          cards && CARDS,
        ]}
      >
        <Box component="caption" sx={VISUALLY_HIDDEN}>
          {caption}
        </Box>
        <thead role={role("rowgroup")}>
          <tr role={role("row")}>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                role={role("columnheader")}
                style={{ width: column.width }}
                className={cellClass(column)}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role={role("rowgroup")}>
          {rows.map((row) => (
            <tr key={rowKey(row)} role={role("row")}>
              {columns.map((column) => (
                <td
                  key={column.key}
                  role={role("cell")}
                  data-title={column.title}
                  className={cellClass(column)}
                >
                  {cellOf(column.render(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </ScrollBox>
  );
}

/** Texts may be a user's: they are kept apart from what is around them, and a place may limit their size. */
const cellOf = (cell: ReactNode): ReactNode =>
  typeof cell === "string" ? <span className="text">{withSeenTurns(cell)}</span> : cell;

function cellClass<Row>(column: Column<Row>): string | undefined {
  const names = [column.numeric && "num", column.secondary && "secondary"];
  return names.filter(Boolean).join(" ") || undefined;
}
