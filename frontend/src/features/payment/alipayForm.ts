import { safeHref } from "@/ui/safeHref";

/** Name of the cashier's window. */
const CASHIER = "xuanlan-alipay";

/**
 * Opens the cashier's window during the click: a window opened after the server's response would be blocked as a popup. Null if
 * it is blocked anyway.
 */
export function openCashier(): Window | null {
  const opened = window.open("", CASHIER);
  try {
    if (opened) opened.document.body.textContent = "正在前往支付宝…";
  } catch {
    // The window of an earlier attempt shows the cashier, whose document is cross-origin.
  }
  return opened;
}

/**
 * Submits the form in the server's response to Alipay, copying only its fields, none of its markup. False if it is no form or its
 * action no web address.
 */
export function submitForm(html: string, cashier: Window | null): boolean {
  const source = new DOMParser().parseFromString(html, "text/html").querySelector("form");
  const action = safeHref(source?.getAttribute("action"));
  if (!source || !action) return false;
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  form.acceptCharset = source.getAttribute("accept-charset") ?? "utf-8";
  form.target = cashier && !cashier.closed ? CASHIER : "_self";
  form.hidden = true;
  for (const field of source.querySelectorAll<HTMLInputElement>("input[name]")) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = field.name;
    input.value = field.value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
  return true;
}

/** Where Alipay sends the browser afterwards: the page with the order's state. */
export function returnUrl(orderId: string): string {
  return `${window.location.origin}/common/pay?orderId=${encodeURIComponent(orderId)}`;
}
