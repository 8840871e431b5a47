/**
 * Inline markup of one line: `**bold**`, `` `code` ``, `[words](address)`; a backslash escapes the
 * next character. Unclosed markup is text.
 */
export interface Run {
  text: string;
  bold?: boolean;
  code?: boolean;
  href?: string;
}

type Marks = Omit<Run, "text">;

const escaped = (text: string) => text.replace(/[\\`*[\]]/g, (sign) => `\\${sign}`);

/** The runs as markup, for the editor. */
export function typed(runs: readonly Run[]): string {
  return runs
    .map(({ text, bold, code, href }) => {
      const words = code && !text.includes("`") ? `\`${text}\`` : escaped(text);
      const weighted = bold ? `**${words}**` : words;
      return href ? `[${weighted}](${href})` : weighted;
    })
    .join("");
}

/** Position of the next unescaped sign; -1: none. */
function find(text: string, sign: string, from: number): number {
  for (let at = from; at <= text.length - sign.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(sign, at)) return at;
  }
  return -1;
}

function readPart(text: string, marks: Marks): Run[] {
  const runs: Run[] = [];
  let plain = "";
  const flush = () => {
    if (plain) runs.push({ text: plain, ...marks });
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    if (rest.startsWith("\\") && /^\\[\\`*[\]]/.test(rest)) {
      plain += rest[1];
      at += 2;
      continue;
    }
    const code = rest.startsWith("`") ? text.indexOf("`", at + 1) : -1;
    if (code > at + 1) {
      flush();
      runs.push({ text: text.slice(at + 1, code), ...marks, code: true });
      at = code + 1;
      continue;
    }
    const bold = rest.startsWith("**") && !marks.bold ? find(text, "**", at + 2) : -1;
    if (bold > at + 2) {
      flush();
      runs.push(...readPart(text.slice(at + 2, bold), { ...marks, bold: true }));
      at = bold + 2;
      continue;
    }
    const closed = rest.startsWith("[") && !marks.href ? find(text, "](", at + 1) : -1;
    const end = closed > at + 1 ? text.indexOf(")", closed) : -1;
    if (end > closed + 2) {
      flush();
      runs.push(
        ...readPart(text.slice(at + 1, closed), { ...marks, href: text.slice(closed + 2, end).trim() }),
      );
      at = end + 1;
      continue;
    }
    plain += text[at];
    at += 1;
  }
  flush();
  return runs;
}

export const readTyped = (text: string): Run[] => readPart(text, {});
