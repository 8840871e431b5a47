import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { memo, useState } from "react";
import type { OrderMemberGrade } from "@/calls/order";
import KeyboardArrowDown from "@/ui/icons/KeyboardArrowDownOutlined";
import { ReadFailed } from "@/ui/ReadFailed";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";
import { COMPARE, type CompareRow } from "./compare";
import { GRADES, offerOf } from "./grades";
import { gradeBehind } from "./rules";
import { useSold } from "./useSold";
import { YearPrice } from "./YearPrice";

/**
 * An empty value means "not included"; undefined shows a placeholder. `gain`: more than the previous edition. `now`: what currently
 * applies to all users, whatever the edition will count.
 */
function ValueCell({ value, gain, now }: { value: string | undefined; gain: boolean; now?: string }) {
  if (value === undefined)
    return (
      <td>
        <span className="wait" />
      </td>
    );
  if (now)
    return (
      <td>
        {now}
        <small>恢复计次后：{value}</small>
      </td>
    );
  if (value) return <td className={gain ? "gain" : "same"}>{value}</td>;
  return (
    <td>
      <span aria-hidden="true">—</span>
      <span style={VISUALLY_HIDDEN}>不含</span>
    </td>
  );
}

/** Values of a row by column; undefined while unknown. */
function valuesOf(row: CompareRow, sold: readonly OrderMemberGrade[] | undefined): (string | undefined)[] {
  return GRADES.map(({ key }) => {
    if (key === "free") return row.free;
    const grade = gradeBehind(sold, key);
    return grade && row.paid(grade);
  });
}

function Row({ row, sold }: { row: CompareRow; sold: readonly OrderMemberGrade[] | undefined }) {
  return (
    <tr>
      <th scope="row">
        {row.title}
        {row.note && <small>{row.note}</small>}
      </th>
      {valuesOf(row, sold).map((value, at, values) => (
        <ValueCell
          key={GRADES[at]?.key}
          value={value}
          gain={at > 0 && value !== values[at - 1]}
          now={row.now}
        />
      ))}
    </tr>
  );
}

/** Comparison of the editions, one column each. `stickyTop`: offset of the sticky head in pixels. */
export function CompareTable({ stickyTop = 72 }: { stickyTop?: number }) {
  const { sold, isError, refetch } = useSold();
  if (isError) return <ReadFailed what="会员权益" onRetry={refetch} />;
  return <Table sold={sold} stickyTop={stickyTop} />;
}

const Table = memo(function Table({
  sold,
  stickyTop,
}: {
  sold: readonly OrderMemberGrade[] | undefined;
  stickyTop: number;
}) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const fold = (title: string) =>
    setFolded((old) =>
      old.has(title) ? new Set([...old].filter((t) => t !== title)) : new Set([...old, title]),
    );
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label="权益对照表"
      sx={{
        // A horizontally scrolling box would hold the sticky head; wide screens need no scrolling.
        overflowX: { xs: "auto", md: "visible" },
        "& table": {
          width: "100%",
          minWidth: 720,
          borderCollapse: "separate",
          borderSpacing: 0,
          backgroundColor: "background.paper",
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
        },
        "& th, & td": {
          px: { xs: 2, md: 3 },
          py: 1.75,
          textAlign: "left",
          borderBottom: 1,
          borderColor: "divider",
          fontVariantNumeric: "tabular-nums",
          verticalAlign: "top",
        },
        "& td": { position: "relative", width: "18%" },
        "& tbody th": { fontWeight: 500 },
        "& tbody:last-of-type tr:last-of-type > *": { borderBottom: 0 },
        "& thead th": {
          position: { md: "sticky" },
          top: stickyTop,
          zIndex: 2,
          fontWeight: 600,
          backgroundColor: "background.paper",
          borderRadius: 2,
        },
        "& .group th": {
          fontSize: 12,
          color: "text.secondary",
          backgroundColor: "background.default",
          py: 0,
        },
        "& .group button": { font: "inherit", width: "100%", justifyContent: "space-between", py: 1 },
        "& .group svg": { fontSize: 18 },
        "& .group [aria-expanded=false] svg": { transform: "rotate(-90deg)" },
        "& .wait": {
          display: "block",
          width: 64,
          height: 12,
          my: "5px",
          borderRadius: 1,
          backgroundColor: "action.hover",
        },
        "& .gain": { fontWeight: 600 },
        "& .same, & .year": { color: "text.secondary" },
        "& .year": { fontWeight: 400 },
        "& small": {
          display: "block",
          fontSize: 12,
          lineHeight: "18px",
          fontWeight: 400,
          color: "text.secondary",
        },
      }}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">权益</th>
            {GRADES.map((grade) => (
              <th scope="col" key={grade.key}>
                {grade.name}
                <div className="year">
                  <YearPrice cents={offerOf(grade.key, sold)?.yearCents} size={14} />
                </div>
              </th>
            ))}
          </tr>
        </thead>
        {COMPARE.map((group) => (
          <tbody key={group.title}>
            <tr className="group">
              <th colSpan={5} scope="colgroup">
                <ButtonBase aria-expanded={!folded.has(group.title)} onClick={() => fold(group.title)}>
                  {group.title}
                  <KeyboardArrowDown />
                </ButtonBase>
              </th>
            </tr>
            {!folded.has(group.title) &&
              group.rows.map((row) => <Row key={row.title} row={row} sold={sold} />)}
          </tbody>
        ))}
      </table>
    </Box>
  );
});
