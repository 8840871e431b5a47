/** The model embedded in the page: base64 in elements that browsers do not execute, concatenated. */
export function takeModel(page: ParentNode): Uint8Array {
  const elements = [...page.querySelectorAll('script[type="application/x-amrt"]')];
  const parts = elements.map((element) => {
    const text = atob(element.textContent ?? "");
    // the text is as large as the model: it must not stay in the page
    element.remove();
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    return bytes;
  });
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
