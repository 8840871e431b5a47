/** Lets the browser download a signed address as a file. */
export function startDownload(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.rel = "noopener";
  link.download = "";
  link.click();
}
