import Button from "@mui/material/Button";
import type { UseFormRegisterReturn } from "react-hook-form";
import { authMessages } from "@/messages/auth";
import { Field } from "./Field";
import { cleanCode } from "./rules";
import type { SmsCode } from "./useSmsCode";

interface Props {
  field: UseFormRegisterReturn;
  error?: string;
  sms: SmsCode;
  /** The number as it stands in the form at the moment of the click. */
  phone: () => string;
  onLeave?: () => void;
}

/** The code of the SMS, with the button that sends it. */
export function CodeField({ field, error, sms, phone, onLeave }: Props) {
  const counting = sms.seconds > 0;
  return (
    <Field
      label="验证码"
      field={field}
      clean={cleanCode}
      error={error}
      onLeave={onLeave}
      placeholder="短信中的 6 位数字"
      inputMode="numeric"
      autoComplete="one-time-code"
      end={
        <Button
          type="button"
          size="small"
          variant="text"
          disabled={counting || sms.busy}
          onClick={() => void sms.send(phone())}
          className="tabular"
          sx={{ flexShrink: 0, mr: -0.75, px: 1, whiteSpace: "nowrap", minWidth: 88 }}
        >
          {counting ? authMessages.resendIn(sms.seconds) : authMessages.sendCode}
        </Button>
      }
    />
  );
}
