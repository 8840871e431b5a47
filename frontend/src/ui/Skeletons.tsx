import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { VISUALLY_HIDDEN } from "./visuallyHidden";

/** Placeholders of the same size as the content that replaces them, so that nothing jumps. */
export function TableSkeleton({ rows = 5, columns = 4 }: { rows?: number; columns?: number }) {
  const rowKeys = Array.from({ length: rows }, (_, row) => `r${row}`);
  const columnKeys = Array.from({ length: columns }, (_, column) => `c${column}`);
  return (
    <Box role="status" aria-label="正在加载" sx={{ width: "100%" }}>
      {rowKeys.map((row) => (
        <Box
          key={row}
          sx={{
            display: "flex",
            gap: 3,
            alignItems: "center",
            height: 56,
            px: 2,
            borderBottom: 1,
            borderColor: "divider",
          }}
        >
          {columnKeys.map((column, index) => (
            <Skeleton key={column} variant="text" sx={{ flex: index === 0 ? 2 : 1 }} />
          ))}
        </Box>
      ))}
    </Box>
  );
}

export function CardGridSkeleton({ count = 8 }: { count?: number }) {
  const keys = Array.from({ length: count }, (_, index) => `k${index}`);
  return (
    <Box
      role="status"
      aria-label="正在加载"
      sx={{
        display: "grid",
        gap: 2,
        gridTemplateColumns: "repeat(auto-fill, minmax(220px, 1fr))",
      }}
    >
      {keys.map((key) => (
        <Box key={key}>
          <Skeleton variant="rectangular" sx={{ aspectRatio: "1", borderRadius: 2, height: "auto" }} />
          <Skeleton variant="text" sx={{ mt: 1, width: "70%" }} />
          <Skeleton variant="text" sx={{ width: "40%" }} />
        </Box>
      ))}
    </Box>
  );
}

export function LinesSkeleton({ lines = 3 }: { lines?: number }) {
  const keys = Array.from({ length: lines }, (_, index) => `l${index}`);
  return (
    <Box role="status" aria-label="正在加载">
      {keys.map((key, index) => (
        <Skeleton key={key} variant="text" sx={{ width: index === lines - 1 ? "60%" : "100%" }} />
      ))}
    </Box>
  );
}

/** A page whose model is loading: with its heading and an empty stage. */
export function StageSkeleton({ label }: { label: string }) {
  return (
    <Box aria-busy="true">
      <Box component="h1" sx={VISUALLY_HIDDEN}>
        {label}
      </Box>
      {/* Still: without a graphics card what moves here makes the stage wait for a second. */}
      <Skeleton
        animation={false}
        variant="rectangular"
        sx={{ minHeight: 360, height: "calc(100vh - 200px)", borderRadius: 2 }}
      />
    </Box>
  );
}
