/** How long every toast stays, in milliseconds. */
export const TOAST_MS = 2000;

export type ToastKind = "success" | "error" | "warning";

interface Toast {
  kind: ToastKind;
  text: string;
}

type Show = (toast: Toast) => void;

let show: Show | undefined;
let wake: (() => void) | undefined;
let waiting: Toast[] = [];

/** The page's toast host takes over; `undefined` when it goes. What waited for it is shown now. */
export function setToastHost(host: Show | undefined): void {
  show = host;
  if (!host) return;
  for (const toast of waiting) host(toast);
  waiting = [];
}

/** Called when the first toast is raised: the host is loaded no earlier. */
export function onFirstToast(callback: (() => void) | undefined): void {
  wake = callback;
  if (callback && waiting.length > 0) callback();
}

function raise(kind: ToastKind, text: string): void {
  if (!text) return;
  if (show) {
    show({ kind, text });
    return;
  }
  // A page without a host (it failed to load) must not pile them up.
  waiting = [...waiting.slice(-2), { kind, text }];
  wake?.();
}

/** Short notices at the top of the page; usable from anywhere, also outside React. */
export const toast = {
  success: (text: string) => raise("success", text),
  error: (text: string) => raise("error", text),
  warning: (text: string) => raise("warning", text),
};
