export type CsvCell = string | number | boolean | undefined | null;

/**
 * A cell that spreadsheets do not interpret as a formula: a text that looks like one is prefixed with an apostrophe
 * (OWASP, CSV injection). Numbers stay numbers, also negative ones.
 */
export function csvCell(value: CsvCell): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const harmless = /^[\s]*[=+\-@\t\r|%＝＋－＠]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Rows as CSV with a byte order mark: without it Excel reads Chinese in the system's code page. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

/** Saves a file through the browser. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Saves text as a file through the browser. */
export const saveText = (name: string, text: string, type = "text/csv;charset=utf-8"): void =>
  saveBlob(name, new Blob([text], { type }));
