import type { ReactNode } from "react";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";

/** Names of the fields of a row whose values are of this type. */
type FieldOf<Row, Value> = { [Key in keyof Row & string]: Row[Key] extends Value ? Key : never }[keyof Row &
  string];

/** A column with a field of the row as it is. */
export function textColumn<Row>(
  key: FieldOf<Row, ReactNode>,
  title: string,
  more: Partial<Column<Row>> = {},
): Column<Row> {
  return { key, title, render: (row) => row[key] as ReactNode, ...more };
}

/** A column with a time of the row, Unix milliseconds; hidden on narrow screens. */
export function timeColumn<Row>(key: FieldOf<Row, number>, title = "时间"): Column<Row> {
  return { key, title, numeric: true, secondary: true, render: (row) => dateText(row[key] as number) };
}
