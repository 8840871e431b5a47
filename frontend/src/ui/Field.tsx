import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import OutlinedInput from "@mui/material/OutlinedInput";
import { type ChangeEvent, type CompositionEvent, type ReactNode, useId, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

interface FieldProps {
  label: string;
  field: UseFormRegisterReturn;
  /** Filters typed or pasted text. */
  clean?: (value: string) => string;
  error?: string;
  /** Shown below while there is no error. */
  hint?: string;
  /** The most characters that can be typed. */
  most?: number;
  placeholder?: string;
  type?: "text" | "password";
  inputMode?: "text" | "numeric" | "tel" | "email";
  autoComplete?: string;
  autoFocus?: boolean;
  /** More than one: a multi-line text. */
  rows?: number;
  onLeave?: () => void;
  /** At the right end, inside the frame. */
  end?: ReactNode;
}

/** A labelled input with its message below. Space for the message is reserved, so that nothing jumps. */
export function Field(props: FieldProps) {
  const { label, field, clean, error, hint, most, type = "text", end, onLeave, ...rest } = props;
  const id = useId();
  const messageId = `${id}-message`;

  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    // Changing the text while an input method composes would break it; it is cleaned afterwards.
    const composing = (event.nativeEvent as InputEvent).isComposing;
    if (clean && !composing) keep(event.target, clean);
    return field.onChange(event);
  };
  const onCompositionEnd = (event: CompositionEvent<HTMLInputElement>) => {
    const input = event.target as HTMLInputElement;
    if (clean) keep(input, clean);
    void field.onChange({ type: "change", target: input });
  };

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
        multiline={Boolean(rest.rows)}
        name={field.name}
        inputRef={field.ref}
        type={type}
        error={Boolean(error)}
        onChange={onChange}
        onBlur={(event) => {
          void field.onBlur(event);
          onLeave?.();
        }}
        endAdornment={end}
        slotProps={{
          input: {
            "aria-describedby": error || hint ? messageId : undefined,
            maxLength: most,
            onCompositionEnd,
          },
        }}
        {...rest}
      />
      <Box
        id={messageId}
        role={error ? "alert" : undefined}
        sx={{
          minHeight: 26,
          pt: 0.375,
          pb: 0.625,
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

function keep(input: HTMLInputElement, clean: (value: string) => string): void {
  const cleaned = clean(input.value);
  if (cleaned === input.value) return;
  const caret = clean(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
  input.value = cleaned;
  input.setSelectionRange(caret, caret);
}

function EyeIcon({ crossed }: { crossed: boolean }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10Z" />
      <circle cx="10" cy="10" r="2.5" />
      {crossed && <path d="m3.5 16.5 13-13" />}
    </svg>
  );
}

/** A password field with a button to show the text. */
export function PasswordField(props: Omit<FieldProps, "type" | "end">) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? "text" : "password"}
      end={
        <IconButton
          size="small"
          edge="end"
          aria-label={shown ? "隐藏密码" : "显示密码"}
          onClick={() => setShown(!shown)}
          sx={{ color: "text.disabled" }}
        >
          <EyeIcon crossed={!shown} />
        </IconButton>
      }
    />
  );
}
