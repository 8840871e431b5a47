import { useCallback } from "react";
import { useSearchParams } from "react-router";

/**
 * The address' query, and a function to change its fields without a new history entry; an empty value
 * removes its field.
 */
export function useQueryFields(): [URLSearchParams, (change: Record<string, string | undefined>) => void] {
  const [query, setQuery] = useSearchParams();
  const set = useCallback(
    (change: Record<string, string | undefined>) =>
      setQuery(
        (old) => {
          const next = new URLSearchParams(old);
          for (const [name, value] of Object.entries(change)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true },
      ),
    [setQuery],
  );
  return [query, set];
}
