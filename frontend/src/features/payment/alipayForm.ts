import { safeHref } from "@/ui/safeHref";

/** Name of the window the cashier is shown in. */
const CASHIER = "xuanlan-alipay";

/**
 * Opens the window of the cashier while the click is still fresh: a window opened after the server's
 * answer would be held back. Null: the browser held it back all the same.
 */
export function openCashier(): Window | null {
  const opened = window.open("", CASHIER);
  try {
    if (opened) opened.document.body.textContent = "正在前往支付宝…";
  } catch {
    // The window of an earlier try stands at the cashier, whose document is not ours to write in.
  }
  return opened;
}

/**
 * Sends the form that the server answered to Alipay. Only its fields are taken over, none of its markup.
 * False: it is no form, or its address no web address.
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

/** Where Alipay sends the browser afterwards: the page that tells how the order stands. */
export function returnUrl(orderId: string): string {
  return `${window.location.origin}/common/pay?orderId=${encodeURIComponent(orderId)}`;
}
