import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import { useState } from "react";
import { CodeSheet } from "@/ui/CodeSheet";

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
  return (
    <>
      <Box sx={{ mb: 2, fontSize: 13, color: "text.secondary" }}>
        每个恢复码只能用一次，只在这里显示这一次。请保存在手机以外的安全地方。
      </Box>
      <CodeSheet codes={codes} fileName="xuanlan-recovery-codes.txt" />
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
