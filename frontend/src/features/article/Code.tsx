import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { useEffect, useRef, useState } from "react";
import { monoFamily } from "@/theme/tokens";
import { ScrollBox } from "@/ui/ScrollBox";

const WORDS = { idle: "复制", copied: "已复制", failed: "复制失败，请手动选取" } as const;

/** Program text with a copy button. */
export function Code({ language, text }: { language: string; text: string }) {
  const [state, setState] = useState<keyof typeof WORDS>("idle");
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setState("idle"), 2000);
  }
  return (
    <Box sx={{ mt: 3, borderRadius: 2, overflow: "hidden", color: "#E8ECF6", backgroundColor: "#0B1020" }}>
      <Box
        sx={{
          display: "flex",
          justifyContent: "space-between",
          px: 2,
          fontSize: 12,
          lineHeight: "36px",
          color: "#A3ADC2",
          borderBottom: "1px solid #243049",
        }}
      >
        <span>{language || "文本"}</span>
        <ButtonBase
          disableRipple
          onClick={copy}
          aria-label="复制代码"
          sx={{ font: "inherit", color: "inherit" }}
        >
          <span aria-live="polite">{WORDS[state]}</span>
        </ButtonBase>
      </Box>
      <ScrollBox label="代码">
        <Box
          component="pre"
          sx={{ m: 0, p: 2, width: "max-content", fontFamily: monoFamily, fontSize: 13, lineHeight: "22px" }}
        >
          {text}
        </Box>
      </ScrollBox>
    </Box>
  );
}
