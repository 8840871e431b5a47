import Box from "@mui/material/Box";
import Pagination from "@mui/material/Pagination";

/** Maximum number of rows of a list, over all its pages. */
const DEEPEST = 10_000;

/** The number of rows, and the pagination. */
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
  // The server returns no more rows of a list, whatever the total.
  const pages = Math.min(Math.ceil(total / pageSize), Math.floor(DEEPEST / pageSize));
  // The list itself shows that it is empty.
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
