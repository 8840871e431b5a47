import { useMemo } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { type Filter, type ListState, usualOf } from "./list";

interface Way {
  /** Number of previous pages of this list in the history. */
  pages?: number;
}

/** Filters and page of a list, kept in the address: a link shows what its sender saw, and "back" works. */
export function useList(filters: readonly Filter[]): ListState {
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const location = useLocation();
  const pages = (location.state as Way | null)?.pages ?? 0;
  return useMemo(() => {
    const names = filters.flatMap((filter) => (filter.kind === "days" ? ["from", "to"] : [filter.name]));
    const after = query.get("after") ?? "";
    return {
      values: Object.fromEntries(names.map((name) => [name, query.get(name) || usualOf(filters, name)])),
      after,
      set: (change) =>
        setQuery(
          (old) => {
            const next = new URLSearchParams(old);
            next.delete("after");
            for (const [name, value] of Object.entries(change)) {
              if (value) next.set(name, value);
              else next.delete(name);
            }
            return next;
          },
          { state: { pages: change.after ? pages + 1 : 0 } satisfies Way },
        ),
      back: after && pages > 0 ? () => navigate(-1) : undefined,
    };
  }, [filters, query, setQuery, navigate, pages]);
}
