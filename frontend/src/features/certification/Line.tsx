import Box from "@mui/material/Box";
import OutlinedInput from "@mui/material/OutlinedInput";
import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

/** A labelled form field with its message below. */
export function Line({
  label,
  field,
  error,
  hint,
  rows,
  ...rest
}: {
  label: string;
  field: UseFormRegisterReturn;
  error?: string;
  hint?: string;
  /** More than one: multi-line. */
  rows?: number;
  placeholder?: string;
  autoComplete?: string;
  inputMode?: "text" | "tel" | "url";
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const { ref, ...events } = field;
  return (
    <Box>
      <Box
        component="label"
        htmlFor={id}
        sx={{ display: "block", mb: 0.75, fontSize: 13, lineHeight: "20px", color: "text.secondary" }}
      >
        {label}
      </Box>
      <OutlinedInput
        id={id}
        fullWidth
        inputRef={ref}
        error={Boolean(error)}
        multiline={rows !== undefined}
        minRows={rows}
        slotProps={{ input: { "aria-describedby": error || hint ? noteId : undefined, spellCheck: false } }}
        {...events}
        {...rest}
      />
      <Box
        id={noteId}
        role={error ? "alert" : undefined}
        sx={{
          minHeight: 26,
          pt: 0.375,
          fontSize: 12,
          lineHeight: "18px",
          color: error ? "error.main" : "text.secondary",
        }}
      >
        {error ?? hint}
      </Box>
    </Box>
  );
}
