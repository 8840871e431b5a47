import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import { useState } from "react";
import { saveText } from "@/lib/csv";
import { monoFamily } from "@/theme";
import { useCopy } from "@/ui/CopyText";

/** Recovery codes, shown once: the server keeps only their hashes. Whoever goes on says that they are kept. */
export function RecoveryCodes({
  codes,
  doneText,
  onDone,
}: {
  codes: readonly string[];
  doneText: string;
  onDone: () => void;
}) {
  const [kept, setKept] = useState(false);
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
          gridTemplateColumns: "repeat(auto-fit, minmax(196px, 1fr))",
          rowGap: 0.75,
          columnGap: 2,
          fontFamily: monoFamily,
          fontSize: 13,
          borderRadius: 1,
          backgroundColor: "background.default",
        }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Box sx={{ mt: 2, fontSize: 13, color: "text.secondary" }}>
        每个恢复码只能用一次，只在这里显示这一次。请保存在手机以外的安全地方。
      </Box>
      <Box sx={{ mt: 2, display: "flex", flexWrap: "wrap", gap: 1 }}>
        <Button
          size="small"
          variant="outlined"
          onClick={() => saveText("xuanlan-recovery-codes.txt", text, "text/plain;charset=utf-8")}
        >
          下载为文本
        </Button>
        <Button size="small" variant="outlined" aria-label="复制恢复码" onClick={copy}>
          <span aria-live="polite">{word}</span>
        </Button>
      </Box>
      <Box sx={{ mt: 1 }}>
        <FormControlLabel
          control={<Checkbox checked={kept} onChange={(_event, checked) => setKept(checked)} />}
          label="我已保存恢复码"
        />
      </Box>
      <Button onClick={onDone} variant="contained" fullWidth size="large" disabled={!kept} sx={{ mt: 1 }}>
        {doneText}
      </Button>
    </>
  );
}
