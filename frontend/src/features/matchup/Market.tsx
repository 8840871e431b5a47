import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Select from "@mui/material/Select";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ListPage, type ListQuery, useListAddress } from "@/ui/list";
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

/** A market: keyword, filters, order, cards and pages; all choices are stored in the address. */
export function Market<T>({
  title,
  note,
  what,
  rows,
  sorts,
  door,
  query,
  keyOf,
  card,
}: {
  title: string;
  note: string;
  what: string;
  rows: readonly Row[];
  sorts: readonly { id: string; text: string }[];
  door: { text: string; to: string };
  query: ListQuery<{ totalCount: number; results: readonly T[] }>;
  keyOf: (one: T) => string;
  card: (one: T) => ReactNode;
}) {
  const [address] = useQueryFields();
  const list = useListAddress<string, "sort">({
    fields: ["keyword", ...rows.map(({ field }) => field)],
    tab: "sort",
    pageSize: PAGE_SIZE,
  });
  const { keyword = "", sort = "" } = list.values;
  const { data, isError } = query;
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
      <Search label={`搜索${what}`} keyword={keyword} onSearch={(text) => list.set({ keyword: text })} />
      <Box sx={{ mt: 2, display: "grid", gap: 1 }}>
        {rows.map((row) => (
          <Choices key={row.field} {...row} query={address} />
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
          onChange={(event) => list.set({ sort: event.target.value })}
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
        <ListPage
          what={what}
          query={query}
          list={{
            ...list,
            setPage: (page) => {
              list.setPage(page);
              window.scrollTo({ top: 0 });
            },
          }}
          skeleton={<RowsWaiting count={PAGE_SIZE} what={what} />}
          empty={{ kind: "search", title: `没有相符的${what}`, hint: `有新的${what}公开时会出现在这里。` }}
          emptyFiltered={{ title: `没有相符的${what}`, hint: "放宽条件，或换一个说法再找。" }}
        >
          {(found) => (
            <CardRows label={what}>
              {found.map((one) => (
                <li key={keyOf(one)}>{card(one)}</li>
              ))}
            </CardRows>
          )}
        </ListPage>
      </Box>
    </Wide>
  );
}

export const pageOf = (query: URLSearchParams): number =>
  Math.min(Math.max(1, Math.trunc(Number(query.get("page"))) || 1), 10_000);

/** A field of the address, cut to the server's limit. */
export const fieldOf = (query: URLSearchParams, name: string): string => (query.get(name) ?? "").slice(0, 50);
