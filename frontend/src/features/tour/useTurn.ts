import { useEffect, useId, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { useAppSelector } from "@/store/hooks";
import type { TourName } from "./steps";
import { useTour } from "./useTour";

/** Interval of the check for open dialogs, in milliseconds. */
const LOOK_MS = 500;
/** An open MUI dialog, drawer or menu; hidden ones that stay mounted do not count. */
const OPEN_MODAL = ".MuiModal-root:not(.MuiModal-hidden)";

/** Pages that start with a tour. */
const TOUR_PAGES: Record<TourName, RegExp> = {
  workbench: /^\/workbench(\/index(1|Old))?\/?$/,
  personal: /^\/workbench\/account(\/accoInforIndex)?\/?$/,
};

/** Queue of pending popups; the first one is shown. */
let queue: readonly string[] = [];
const listeners = new Set<() => void>();

function change(next: readonly string[]): void {
  queue = next;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const first = () => queue[0];

/** Whether this page's tour is running, or may still start. */
function useTourWaits(): boolean {
  const { pathname } = useLocation();
  const names = Object.keys(TOUR_PAGES) as TourName[];
  const name = names.find((one) => TOUR_PAGES[one].test(pathname));
  const { run, unknown } = useTour(name ?? "workbench", name === undefined);
  return run || unknown;
}

/**
 * Whether an automatic popup may be shown now: one at a time in order of request, after the page's tour, and never over a dialog
 * that the user opened or a sign-in dialog.
 */
export function useTurn(wants: boolean): boolean {
  const id = useId();
  const asked = useAppSelector(
    ({ authDialog, shop }) =>
      authDialog.open || shop.purchase.open || shop.payment.orderId !== "" || shop.giftOpen,
  );
  const tour = useTourWaits();
  useEffect(() => {
    if (!wants || tour) return;
    let timer = 0;
    const join = () => {
      if (document.querySelector(OPEN_MODAL)) timer = window.setTimeout(join, LOOK_MS);
      else change([...queue, id]);
    };
    join();
    return () => {
      window.clearTimeout(timer);
      change(queue.filter((one) => one !== id));
    };
  }, [wants, tour, id]);
  return useSyncExternalStore(listen, first) === id && wants && !asked && !tour;
}
