import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "@/ui/ConfirmDialog";

/** Asks before a changed form is left; render `leaving`, the dialog, with the form. */
export function useLeaving(changed: boolean) {
  const dirty = useRef(changed);
  // the saved form may render again before the page is left
  const kept = useRef(false);
  dirty.current = changed && !kept.current;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!changed) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
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
