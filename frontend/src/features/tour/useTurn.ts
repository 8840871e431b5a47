import { useEffect, useId, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { useAppSelector } from "@/store/hooks";
import type { TourName } from "./steps";
import { useTour } from "./useTour";

/** How often the page is looked at again while a dialog is open, in milliseconds. */
const LOOK_MS = 500;
/** A dialog, drawer or menu of the component library that is not just being kept. */
const OPEN_MODAL = ".MuiModal-root:not(.MuiModal-hidden)";

/** Pages that begin with a tour. */
const TOUR_PAGES: Record<TourName, RegExp> = {
  workbench: /^\/workbench(\/index(1|Old))?\/?$/,
  personal: /^\/workbench\/account(\/accoInforIndex)?\/?$/,
};

/** Who waits to come over the page; the first one is there. */
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

/** Whether this page's tour is running, or may yet begin. */
function useTourWaits(): boolean {
  const { pathname } = useLocation();
  const names = Object.keys(TOUR_PAGES) as TourName[];
  const name = names.find((one) => TOUR_PAGES[one].test(pathname));
  const { run, unknown } = useTour(name ?? "workbench", name === undefined);
  return run || unknown;
}

/**
 * Whether what comes over the page by itself may be there now: one at a time, first come first served, after the tour of the
 * page and never over a dialog that the person opened or is asked to sign in by.
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
