import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Select from "@mui/material/Select";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { EmptyState } from "@/ui/EmptyState";
import { Pager } from "@/ui/Pager";
import { ReadFailed } from "@/ui/ReadFailed";
import { useQueryFields } from "@/ui/useQueryFields";
import { Wide } from "@/ui/Wide";
import { CardRows, RowsWaiting } from "./Cards";
import { Choices } from "./Choices";
import { Search } from "./Search";

export const PAGE_SIZE = 12;

export interface Row {
  label: string;
  field: string;
  choices: readonly string[];
}

interface Read<T> {
  data?: { totalCount: number; results: readonly T[] };
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/** A market: a word, rows of choices, an order, cards and pages; all of what is chosen stands in the address. */
export function Market<T>({
  title,
  note,
  what,
  rows,
  sorts,
  door,
  list,
  keyOf,
  card,
}: {
  title: string;
  note: string;
  what: string;
  rows: readonly Row[];
  sorts: readonly { id: string; text: string }[];
  door: { text: string; to: string };
  list: Read<T>;
  keyOf: (one: T) => string;
  card: (one: T) => ReactNode;
}) {
  const [query, set] = useQueryFields();
  const { data, isError, isFetching, refetch } = list;
  const fields = ["keyword", ...rows.map(({ field }) => field)];
  const narrowed = fields.some((field) => query.get(field));
  const sort = query.get("sort") ?? "";
  return (
    <Wide>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 2, mb: 2 }}>
        <Box sx={{ flex: 1, minWidth: 240 }}>
          <Box component="h1" sx={{ m: 0, fontSize: 24, lineHeight: "32px", fontWeight: 600 }}>
            {title}
          </Box>
          <Box sx={{ mt: 0.5, color: "text.secondary" }}>{note}</Box>
        </Box>
        <Button component={Link} to={door.to} variant="outlined">
          {door.text}
        </Button>
      </Box>
      <Search
        label={`搜索${what}`}
        keyword={query.get("keyword") ?? ""}
        onSearch={(keyword) => set({ keyword: keyword || undefined, page: undefined })}
      />
      <Box sx={{ mt: 2, display: "grid", gap: 1 }}>
        {rows.map((row) => (
          <Choices key={row.field} {...row} query={query} />
        ))}
      </Box>
      <Box sx={{ mt: 2, mb: 2, display: "flex", alignItems: "center", gap: 1.5, minHeight: 40 }}>
        <Box role="status" sx={{ flex: 1, fontSize: 13, color: "text.secondary" }}>
          {data && !isError && `${data.totalCount.toLocaleString("zh-CN")} 个${what}`}
        </Box>
        <Select
          size="small"
          displayEmpty
          value={sorts.some(({ id }) => id === sort) ? sort : ""}
          onChange={(event) => set({ sort: event.target.value || undefined, page: undefined })}
          inputProps={{ "aria-label": "排列" }}
          sx={{ fontSize: 14, height: 36, bgcolor: "background.paper" }}
        >
          {sorts.map(({ id, text }) => (
            <MenuItem key={id} value={id}>
              {text}
            </MenuItem>
          ))}
        </Select>
      </Box>
      <Box sx={{ minHeight: "50vh" }}>
        {isError && <ReadFailed what={what} onRetry={() => void refetch()} />}
        {!isError && !data && <RowsWaiting count={PAGE_SIZE} what={what} />}
        {!isError && data && data.results.length === 0 && (
          <EmptyState
            kind="search"
            title={`没有相符的${what}`}
            hint={narrowed ? "放宽条件，或换一个说法再找。" : `有新的${what}公开时会出现在这里。`}
            action={
              narrowed && (
                <Button
                  variant="contained"
                  onClick={() =>
                    set(Object.fromEntries([...fields, "page"].map((field) => [field, undefined])))
                  }
                >
                  清除条件
                </Button>
              )
            }
          />
        )}
        {!isError && data && data.results.length > 0 && (
          <Box
            aria-busy={isFetching}
            sx={{ opacity: isFetching ? 0.55 : 1, transition: "opacity 120ms ease-out" }}
          >
            <CardRows label={what}>
              {data.results.map((one) => (
                <li key={keyOf(one)}>{card(one)}</li>
              ))}
            </CardRows>
            <Pager
              total={data.totalCount}
              page={pageOf(query)}
              pageSize={PAGE_SIZE}
              onPage={(page) => {
                set({ page: page > 1 ? String(page) : undefined });
                window.scrollTo({ top: 0 });
              }}
            />
          </Box>
        )}
      </Box>
    </Wide>
  );
}

export const pageOf = (query: URLSearchParams): number =>
  Math.min(Math.max(1, Math.trunc(Number(query.get("page"))) || 1), 10_000);

/** A field of the address, no longer than the server takes it. */
export const fieldOf = (query: URLSearchParams, name: string): string => (query.get(name) ?? "").slice(0, 50);
