/** How long a toast is shown, in milliseconds. */
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

/** Sets the page's toast host, `undefined` when it unmounts. Pending toasts are shown now. */
export function setToastHost(host: Show | undefined): void {
  show = host;
  if (!host) return;
  for (const toast of waiting) host(toast);
  waiting = [];
}

/** Sets the callback for the first toast, which loads the host. */
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
  // Without a host (it failed to load) pending toasts must not pile up.
  waiting = [...waiting.slice(-2), { kind, text }];
  wake?.();
}

/** Short notices at the top of the page; usable anywhere, also outside React. */
export const toast = {
  success: (text: string) => raise("success", text),
  error: (text: string) => raise("error", text),
  warning: (text: string) => raise("warning", text),
};
