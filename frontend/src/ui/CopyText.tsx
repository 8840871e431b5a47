import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { useEffect, useRef, useState } from "react";

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
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
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

  const word = state === "copied" ? "已复制" : state === "failed" ? "复制失败，请手动选取" : "复制";
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
