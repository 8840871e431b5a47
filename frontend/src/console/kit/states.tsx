import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { type ReactNode, useContext } from "react";
import { isAbsent, isForbidden, messageOf } from "../api/envelope";
import { OnePageContext } from "./onePage";
import { PageTitle } from "./page";

const GENERAL = "没有读到数据，请稍后重试";

/** A line in place of rows: empty list, or no match. Lists of the console are dense, so it has no drawing. */
export function Nothing({ title, hint, action }: { title: string; hint?: ReactNode; action?: ReactNode }) {
  return (
    <Box role="status" sx={{ px: 2, py: 5, textAlign: "center" }}>
      <Box sx={{ fontWeight: 500 }}>{title}</Box>
      {hint && <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary" }}>{hint}</Box>}
      {action && <Box sx={{ mt: 2 }}>{action}</Box>}
    </Box>
  );
}

/** The error of a failed load, in the server's words, and a retry button if that may help. */
export function Failed({
  error,
  what,
  onRetry,
  action,
}: {
  error: unknown;
  what: string;
  onRetry?: () => void;
  /** Another way on. */
  action?: ReactNode;
}) {
  const forbidden = isForbidden(error);
  const retry = !forbidden && !isAbsent(error) && onRetry;
  return (
    <Box role="alert" sx={{ px: 2, py: 5, textAlign: "center" }}>
      <Box sx={{ fontWeight: 500 }}>{forbidden ? `没有查看${what}的权限` : `${what}没有读取成功`}</Box>
      <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary" }}>
        {forbidden ? "如确需查看，请联系管理员调整角色。" : messageOf(error) || GENERAL}
      </Box>
      {(retry || action) && (
        <Box sx={{ mt: 2, display: "flex", gap: 1, justifyContent: "center" }}>
          {retry && (
            <Button variant="outlined" size="small" onClick={onRetry}>
              重试
            </Button>
          )}
          {action}
        </Box>
      )}
    </Box>
  );
}

/** Placeholders of the same size as the rows that replace them. */
export function RowsLoading({ rows = 8 }: { rows?: number }) {
  const keys = Array.from({ length: rows }, (_, index) => `r${index}`);
  return (
    <Box role="status" aria-label="正在加载">
      {keys.map((key, index) => (
        <Box
          key={key}
          sx={{
            height: 40,
            px: 2,
            display: "flex",
            alignItems: "center",
            borderTop: index ? 1 : 0,
            borderColor: "divider",
          }}
        >
          <Skeleton variant="text" width={`${88 - ((index * 17) % 40)}%`} height={16} />
        </Box>
      ))}
    </Box>
  );
}

interface Asked<T> {
  data?: T;
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/**
 * The result of a query: placeholders while it loads, its error, or its content. Where it is a page of one object, an error
 * comes with the heading and the way back that the object would have had.
 */
export function Loaded<T>({
  query,
  what,
  rows = 3,
  children,
}: {
  query: Asked<T>;
  what: string;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = query;
  const page = useContext(OnePageContext);
  if (error && !isFetching)
    return (
      <>
        {page && <PageTitle title={page.title} back={page.back} />}
        <Failed error={error} what={what} onRetry={refetch} />
      </>
    );
  if (data === undefined) return <RowsLoading rows={rows} />;
  return <OnePageContext value={undefined}>{children(data)}</OnePageContext>;
}
