import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";

/** A field of the row whose value is of this type, or what computes such a value. */
type Of<Row, Value> =
  | { [Key in keyof Row & string]: Row[Key] extends Value ? Key : never }[keyof Row & string]
  | ((row: Row) => Value);

function read<Row, Value>(of: Of<Row, Value>): (row: Row) => Value {
  return typeof of === "function" ? of : (row) => row[of] as Value;
}

/** What a column shows of a row, as it is; a dash where there is nothing. */
export function textColumn<Row>(
  of: Of<Row, ReactNode>,
  title: string,
  more: Partial<Column<Row>> = {},
): Column<Row> {
  return { key: title, title, render: (row) => read(of)(row) || "—", ...more };
}

/** A time of the row, Unix milliseconds; hidden on narrow screens. */
export function timeColumn<Row>(of: Of<Row, number>, title = "时间"): Column<Row> {
  return { key: title, title, numeric: true, secondary: true, render: (row) => dateText(read(of)(row)) };
}

/** A text of the row that leads to a page of the site. */
export function linkColumn<Row>(of: Of<Row, string>, title: string, to: (row: Row) => string): Column<Row> {
  const link = (row: Row) => (
    <Link
      component={RouterLink}
      to={to(row)}
      sx={{ display: "inline-block", minWidth: 88, overflowWrap: "anywhere" }}
    >
      {read(of)(row)}
    </Link>
  );
  return { key: title, title, render: link };
}
