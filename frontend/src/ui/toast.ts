import { enqueueSnackbar, type VariantType } from "notistack";

/** How long every toast stays, in milliseconds. */
export const TOAST_MS = 2000;

function show(text: string, variant: VariantType): void {
  // notistack gives its functions only once its provider is on the page; before that nobody could see it.
  if (!text || typeof enqueueSnackbar !== "function") return;
  enqueueSnackbar(text, { variant, autoHideDuration: TOAST_MS, preventDuplicate: true });
}

/** Short notices at the top of the page; usable from anywhere, also outside React. */
export const toast = {
  success: (text: string) => show(text, "success"),
  error: (text: string) => show(text, "error"),
  warning: (text: string) => show(text, "warning"),
};
