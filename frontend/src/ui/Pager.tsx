import Box from "@mui/material/Box";
import Pagination from "@mui/material/Pagination";

/** Rows that a list has at most, over all its pages. */
const DEEPEST = 10_000;

/** How many there are, and the way to the other pages. */
export function Pager({
  total,
  page,
  pageSize = 20,
  onPage,
}: {
  total: number;
  page: number;
  pageSize?: number;
  onPage: (page: number) => void;
}) {
  // The server shows no more of a list, whatever it counts.
  const pages = Math.min(Math.ceil(total / pageSize), Math.floor(DEEPEST / pageSize));
  // The list itself says that it is empty.
  if (total === 0) return null;
  return (
    <Box
      sx={{
        display: "flex",
        alignItems: "center",
        justifyContent: "space-between",
        mt: 2,
        flexWrap: "wrap",
        gap: 1,
      }}
    >
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{`共 ${total.toLocaleString("zh-CN")} 条`}</Box>
      {pages > 1 && (
        <Pagination count={pages} page={page} shape="rounded" onChange={(_, value) => onPage(value)} />
      )}
    </Box>
  );
}
