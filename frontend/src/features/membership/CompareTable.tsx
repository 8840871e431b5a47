import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { type OrderMemberGrade, useOrderSelectMemberGradeListQuery } from "@/calls/order";
import { ReadFailed } from "@/ui/ReadFailed";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";
import { COMPARE, type CompareRow } from "./compare";
import { GRADES, offerOf } from "./grades";
import { gradeBehind } from "./rules";
import { YearPrice } from "./YearPrice";

/** An empty value says "not included"; one that is not there yet keeps its line. */
function ValueCell({ value }: { value: string | undefined }) {
  if (value === undefined)
    return (
      <td>
        <Skeleton variant="text" width={64} />
      </td>
    );
  if (value) return <td>{value}</td>;
  return (
    <td>
      <span aria-hidden="true">—</span>
      <Box component="span" sx={VISUALLY_HIDDEN}>
        不含
      </Box>
    </td>
  );
}

function Row({ row, sold }: { row: CompareRow; sold: readonly OrderMemberGrade[] | undefined }) {
  return (
    <tr>
      <th scope="row">
        {row.title}
        {row.note && (
          <Box
            component="span"
            sx={{
              display: "block",
              fontSize: 12,
              lineHeight: "18px",
              color: "text.secondary",
              fontWeight: 400,
            }}
          >
            {row.note}
          </Box>
        )}
      </th>
      {GRADES.map(({ key }) => {
        if (key === "free") return <ValueCell key={key} value={row.free} />;
        const grade = gradeBehind(sold, key);
        return <ValueCell key={key} value={grade && row.paid(grade)} />;
      })}
    </tr>
  );
}

/** What each edition holds, one column each. `stickyTop`: where its head stays while the page scrolls, in pixels. */
export function CompareTable({ stickyTop = 72 }: { stickyTop?: number }) {
  const list = useOrderSelectMemberGradeListQuery({});
  if (list.isError) return <ReadFailed what="会员权益" onRetry={list.refetch} />;
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label="权益对照表"
      sx={{
        // A box that scrolls sideways would hold the sticky head; on wide screens it need not scroll.
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
          py: 1,
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
                <Box component="span" sx={{ display: "block", fontWeight: 400, color: "text.secondary" }}>
                  <YearPrice cents={offerOf(grade.key, list.data)?.yearCents} size={14} />
                </Box>
              </th>
            ))}
          </tr>
        </thead>
        {COMPARE.map((group) => (
          <tbody key={group.title}>
            <tr className="group">
              <th colSpan={5} scope="colgroup">
                {group.title}
              </th>
            </tr>
            {group.rows.map((row) => (
              <Row key={row.title} row={row} sold={list.data} />
            ))}
          </tbody>
        ))}
      </table>
    </Box>
  );
}
