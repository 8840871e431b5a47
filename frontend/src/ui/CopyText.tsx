import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { useEffect, useRef, useState } from "react";

const WORDS = { idle: "复制", copied: "已复制", failed: "复制失败，请手动选取" } as const;

/** Copies a text; `state` tells for two seconds how it went. */
export function useCopy(text: string, tell?: (copied: boolean) => void) {
  const [state, setState] = useState<keyof typeof WORDS>("idle");
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
      tell?.(true);
    } catch {
      setState("failed");
      tell?.(false);
    }
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setState("idle"), 2000);
  }
  return { copy, word: WORDS[state] };
}

/** Text with a copy button that confirms for two seconds; with `tell` the caller reports the result instead. */
export function CopyText({
  text,
  label,
  tell,
}: {
  text: string;
  label: string;
  tell?: (copied: boolean) => void;
}) {
  const { copy, word } = useCopy(text, tell);
  return (
    <Box component="span" sx={{ display: "inline-flex", alignItems: "center", gap: 1 }}>
      <Box component="span" sx={{ fontVariantNumeric: "tabular-nums", userSelect: "all" }}>
        {text}
      </Box>
      <ButtonBase
        disableRipple
        onClick={copy}
        aria-label={`复制${label}`}
        sx={{ fontSize: 12, color: "primary.main", borderRadius: "4px", px: 0.5, flex: "none" }}
      >
        <span aria-live="polite">{word}</span>
      </ButtonBase>
    </Box>
  );
}
