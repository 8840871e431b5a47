import { useEffect, useRef } from "react";
import { type Location, useBlocker } from "react-router";
import { ConfirmDialog } from "./ConfirmDialog";

/** The page and, by a field of the query, the object on it. */
const placeOf = ({ pathname, search }: Location, field: string): string =>
  `${pathname} ${new URLSearchParams(search).get(field) ?? ""}`;

/**
 * Asks before a changed form is left; render `leaving`, the dialog, with the form.
 *
 * @param field of the query, if it names the object: with another value the form is left too
 * @param keeps whether the changes can still be saved: whoever has signed out is not held back
 */
export function useLeaving(
  changed: boolean,
  { field = "", keeps = () => true }: { field?: string; keeps?: () => boolean } = {},
) {
  const dirty = useRef(changed);
  // the saved form may render again before the page is left
  const kept = useRef(false);
  dirty.current = changed && !kept.current;
  const keeping = useRef(keeps);
  keeping.current = keeps;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty.current && keeping.current() && placeOf(currentLocation, field) !== placeOf(nextLocation, field),
  );
  useEffect(() => {
    if (!changed) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      if (keeping.current()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [changed]);
  const saved = () => {
    kept.current = true;
    dirty.current = false;
  };
  const typed = () => {
    kept.current = false;
  };
  const leaving = (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      title="离开并放弃修改？"
      confirmText="放弃修改"
      cancelText="继续编辑"
      danger
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      修改还没有保存，离开后不会保留。
    </ConfirmDialog>
  );
  return { leaving, saved, typed };
}
