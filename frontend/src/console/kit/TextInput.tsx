import Box from "@mui/material/Box";
import OutlinedInput from "@mui/material/OutlinedInput";
import { type KeyboardEventHandler, type Ref, useId } from "react";
import { Below } from "./Below";

/** Default maximum length, in characters. */
const MOST = 128;

interface TextInputProps {
  label: string;
  value: string;
  problem?: string;
  /** Shown below while there is no problem. */
  hint?: string;
  type?: "text" | "password";
  inputMode?: "text" | "numeric" | "url";
  autoComplete?: string;
  autoFocus?: boolean;
  placeholder?: string;
  /** More than one: a growing multi-line text. */
  rows?: number;
  max?: number;
  /** Large and spaced, for digits copied from an app. */
  spaced?: boolean;
  disabled?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onKeyDown?: KeyboardEventHandler;
  onChange: (value: string) => void;
}

/** A labelled field with its problem below; space for the problem is reserved. */
export function TextInput({
  label,
  value,
  problem,
  hint,
  rows = 1,
  max = MOST,
  spaced = false,
  onChange,
  ...rest
}: TextInputProps) {
  const id = useId();
  return (
    <Box>
      <Box component="label" htmlFor={id} sx={{ display: "block", mb: 0.75, fontSize: 13 }}>
        {label}
      </Box>
      <OutlinedInput
        {...rest}
        id={id}
        fullWidth
        multiline={rows > 1}
        minRows={rows > 1 ? rows : undefined}
        maxRows={rows > 1 ? Math.max(rows, 16) : undefined}
        value={value}
        error={Boolean(problem)}
        onChange={({ target }) => onChange(target.value)}
        inputProps={{ "aria-describedby": `${id}-problem`, maxLength: max }}
        sx={{
          ...(rows > 1 && { p: "4px 0", "& textarea": { height: "auto" } }),
          ...(spaced && {
            "& input": { fontVariantNumeric: "tabular-nums", letterSpacing: "0.3em", fontSize: 18 },
          }),
        }}
      />
      <Below id={`${id}-problem`} problem={problem} hint={hint} />
    </Box>
  );
}
