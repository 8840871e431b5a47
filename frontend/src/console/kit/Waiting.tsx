import Box from "@mui/material/Box";
import { ago, count } from "./format";
import { Figure } from "./page";

/** Number and age of the pending items of an area, with a link to it. */
export function Waiting({
  name,
  many,
  since,
  to,
}: {
  name: string;
  many: number;
  since: number;
  to: string;
}) {
  return (
    <Box sx={{ p: 2 }}>
      <Figure
        name={name}
        value={count(many)}
        to={to}
        note={many > 0 ? `等得最久的始于 ${ago(since)}` : "没有等待处理的"}
      />
    </Box>
  );
}
