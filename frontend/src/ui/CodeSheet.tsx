import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { saveText } from "@/lib/csv";
import { monoFamily } from "@/theme";
import { useCopy } from "./CopyText";

/** Recovery codes to be kept: a list, a text file of it, and the clipboard. `head` stands above the codes in the file. */
export function CodeSheet({
  codes,
  fileName,
  head = "",
}: {
  codes: readonly string[];
  fileName: string;
  head?: string;
}) {
  const text = `${codes.join("\r\n")}\r\n`;
  const { copy, word } = useCopy(text);
  return (
    <>
      <Box
        component="ul"
        aria-label="恢复码"
        sx={{
          m: 0,
          p: 2,
          listStyle: "none",
          display: "grid",
          // a code stays in one line, to be copied by hand
          gridTemplateColumns: `repeat(auto-fit, minmax(${Math.max(...codes.map((code) => code.length))}ch, 1fr))`,
          whiteSpace: "nowrap",
          rowGap: 0.75,
          columnGap: 2,
          fontFamily: monoFamily,
          fontSize: 13,
          borderRadius: 1,
          backgroundColor: "background.default",
          userSelect: "all",
        }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Box sx={{ mt: 1.5, display: "flex", flexWrap: "wrap", gap: 1 }}>
        <Button
          size="small"
          variant="outlined"
          onClick={() => saveText(fileName, head + text, "text/plain;charset=utf-8")}
        >
          下载为文本
        </Button>
        <Button size="small" variant="outlined" aria-label="复制恢复码" onClick={copy}>
          <span aria-live="polite">{word}</span>
        </Button>
      </Box>
    </>
  );
}
