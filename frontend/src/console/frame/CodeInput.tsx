import type { Ref } from "react";
import { TextInput } from "../kit/TextInput";

const DIGITS = 6;
const MOST_OF_RECOVERY = 40;

/** Six digits of the authenticator or, if allowed, a recovery code. */
export function CodeInput({
  label = "动态口令",
  recovery = false,
  onChange,
  ...rest
}: {
  label?: string;
  value: string;
  problem?: string;
  recovery?: boolean;
  autoFocus?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      {...rest}
      label={label}
      autoComplete="one-time-code"
      inputMode={recovery ? "text" : "numeric"}
      // digits may be pasted with spaces between them
      max={recovery ? MOST_OF_RECOVERY : undefined}
      spaced={!recovery}
      onChange={(value) => onChange(recovery ? value.trim() : value.replace(/\D/g, "").slice(0, DIGITS))}
    />
  );
}
