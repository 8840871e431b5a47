import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useEffect, useRef } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/EmptyState";
import { Pager } from "@/ui/Pager";
import { LinesSkeleton, TableSkeleton } from "@/ui/Skeletons";
import { RowFrame } from "./RowList";
import { type Empty, EmptyList, Failed, Outdated } from "./states";
import type { ListState } from "./useListAddress";

/** The result of an RTK Query hook. */
export interface ListQuery<Data> {
  data?: Data;
  /** For the current arguments; `data` is that of the previous ones until the response arrives. */
  currentData?: Data;
  isFetching: boolean;
  isError: boolean;
  error?: unknown;
  refetch: () => unknown;
}

interface Page<Row> {
  totalCount: number;
  results: readonly Row[];
}

type Source<Row> =
  | { query: ListQuery<Page<Row>>; rows?: undefined; total?: undefined }
  /** Data of another shape: its rows and their total. */
  | { query: ListQuery<unknown>; rows: readonly Row[]; total: number };

type Rows<Row> =
  | { columns: readonly Column<Row>[]; rowKey: (row: Row) => string | number; children?: undefined }
  | { columns?: undefined; rowKey?: undefined; children: (rows: readonly Row[]) => ReactNode };

type ListPageProps<Row> = Source<Row> &
  Rows<Row> & {
    /** Name of the rows, as the start of an error message; the caption of the table. */
    what: string;
    caption?: string;
    /** From useListAddress; a page that keeps its own state passes the first three. */
    list: Pick<ListState, "page" | "pageSize" | "setPage"> & Partial<Pick<ListState, "filtered" | "clear">>;
    tabs?: ReactNode;
    /** SearchFilter, ChoiceFilter, DaysFilter and other controls. */
    filters?: ReactNode;
    /** Between the filters and the rows: actions on selected rows. */
    above?: ReactNode;
    skeleton?: ReactNode;
    empty: Empty;
    emptyFiltered?: { title?: string; hint?: ReactNode };
    /** In a panel or a dialog: no frame of its own, smaller empty states. */
    dense?: boolean;
  };

/** A list paged by the server: tabs, filters, rows in each of their states, pagination. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { what, query, list, tabs, filters, above, dense = false } = props;
  const page = query.data as Page<Row> | null | undefined;
  const rows = props.rows ?? page?.results ?? [];
  const total = props.total ?? page?.totalCount ?? 0;
  // A table in a panel extends to its edges.
  const flush = dense && props.columns !== undefined;
  const retry = () => void query.refetch();

  // Rows of the previous filters stay until the response arrives, but not if it failed.
  const answered = query.currentData !== undefined;
  const shown = answered || (rows.length > 0 && !query.isError);
  const beyond = shown && rows.length === 0 && total > 0;
  const nothing = shown && rows.length === 0 && total === 0;
  const filteredOut = nothing && list.filtered === true;
  useEmptiedPage({ has: answered && rows.length > 0, beyond, total, list });

  const body = !shown ? (
    query.isError ? (
      <Failed what={what} error={query.error} dense={dense} onRetry={retry} />
    ) : (
      (props.skeleton ??
      (props.columns ? <TableSkeleton columns={props.columns.length} /> : <LinesSkeleton lines={6} />))
    )
  ) : beyond ? (
    <EmptyState
      dense={dense}
      kind="search"
      title="这一页已经没有内容"
      action={<Button onClick={() => list.setPage(1)}>回到第一页</Button>}
    />
  ) : filteredOut ? (
    <EmptyState
      dense={dense}
      kind="search"
      title={props.emptyFiltered?.title ?? `没有符合条件的${what}`}
      hint={props.emptyFiltered?.hint ?? "换一个条件再试。"}
      action={list.clear && <Button onClick={list.clear}>清除条件</Button>}
    />
  ) : nothing ? (
    <EmptyList empty={props.empty} dense={dense} />
  ) : props.columns ? (
    <DataTable caption={props.caption ?? what} columns={props.columns} rows={rows} rowKey={props.rowKey} />
  ) : (
    props.children(rows)
  );

  return (
    <>
      {tabs && <Box sx={{ mb: 2 }}>{tabs}</Box>}
      {filters && (
        <Box
          role="search"
          aria-label={`筛选${what}`}
          sx={{
            display: "flex",
            flexWrap: "wrap",
            gap: 1.5,
            alignItems: "center",
            ...(flush ? { px: 2.5, pt: 1, pb: 2, borderBottom: 1, borderColor: "divider" } : { mb: 2 }),
          }}
        >
          {filters}
          {list.filtered && !filteredOut && list.clear && <Button onClick={list.clear}>清除条件</Button>}
        </Box>
      )}
      {above}
      {/* `error` stays until a load succeeds, `isError` only between two loads: it would flicker on polling. */}
      {answered && query.error !== undefined && <Outdated what={what} onRetry={retry} />}
      <Box
        aria-busy={query.isFetching}
        sx={{ opacity: shown && !answered ? 0.6 : 1, transition: "opacity 160ms" }}
      >
        {props.columns && !dense ? <RowFrame>{body}</RowFrame> : body}
      </Box>
      {shown && rows.length > 0 && (
        <Box sx={flush ? { px: 2.5, pb: 2 } : undefined}>
          <Pager total={total} page={list.page} pageSize={list.pageSize} onPage={list.setPage} />
        </Box>
      )}
    </>
  );
}

/** Goes to the last page when the rows of the current page were removed. */
function useEmptiedPage({
  has,
  beyond,
  total,
  list,
}: {
  has: boolean;
  beyond: boolean;
  total: number;
  list: Pick<ListState, "page" | "pageSize" | "setPage">;
}) {
  const seen = useRef(0);
  useEffect(() => {
    if (has) seen.current = list.page;
    else if (beyond && seen.current === list.page) {
      seen.current = 0;
      list.setPage(Math.ceil(total / list.pageSize));
    }
  });
}
