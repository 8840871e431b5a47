/**
 * An address from the server as a link, or undefined when it is not a web address: a friend link must
 * not be able to run script in the page.
 */
export function safeHref(address: string | null | undefined): string | undefined {
  const text = address?.trim();
  if (!text) return undefined;
  try {
    const url = new URL(text.includes("://") ? text : `https://${text}`);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** The `tel:` link of a displayed number, without its spaces and dashes. */
export function telHref(number: string): string {
  return `tel:${number.replace(/[^\d+]/g, "")}`;
}
