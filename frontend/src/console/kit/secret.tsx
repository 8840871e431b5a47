import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { useEffect, useState } from "react";
import { messageOf } from "../api/envelope";

/** How long a value stays visible. */
export const SECRET_MS = 60_000;

/**
 * A value that is masked until it is requested. Each request is a separate call, which the server logs; after a minute
 * the value is masked again.
 */
export function SecretField({
  label,
  masked,
  reveal,
}: {
  label: string;
  masked: string;
  reveal: () => Promise<string>;
}) {
  const [value, setValue] = useState<string>();
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (value === undefined) return undefined;
    const timer = window.setTimeout(() => setValue(undefined), SECRET_MS);
    return () => window.clearTimeout(timer);
  }, [value]);

  async function show() {
    setBusy(true);
    setProblem("");
    try {
      setValue(await reveal());
    } catch (error) {
      setProblem(messageOf(error) || "没有读取成功");
    } finally {
      setBusy(false);
    }
  }

  return (
    <Box component="span" sx={{ display: "inline-flex", gap: 1, alignItems: "center", flexWrap: "wrap" }}>
      <Box component="span" aria-live="polite" sx={{ fontVariantNumeric: "tabular-nums" }}>
        {value ?? masked}
      </Box>
      {masked && (
        <ButtonBase
          disabled={busy}
          onClick={() => (value === undefined ? show() : setValue(undefined))}
          aria-label={`${value === undefined ? "查看完整" : "收起"}${label}`}
          sx={{ fontSize: 12, color: "primary.main", borderRadius: "4px", px: 0.5 }}
        >
          {value === undefined ? "查看" : "收起"}
        </ButtonBase>
      )}
      {problem && (
        <Box component="span" role="alert" sx={{ fontSize: 12, color: "error.main" }}>
          {problem}
        </Box>
      )}
    </Box>
  );
}
