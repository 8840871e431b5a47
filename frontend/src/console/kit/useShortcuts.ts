import { useEffect, useRef } from "react";

/**
 * Shortcuts with Alt, by key position (`KeyN`), while no dialog is open. With Alt, so that typing or dictating a letter
 * triggers none.
 */
export function useShortcuts(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
      const act = latest.current[event.code];
      if (!act || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
