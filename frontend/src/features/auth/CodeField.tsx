import type { UseFormRegisterReturn } from "react-hook-form";
import { authMessages } from "@/messages/auth";
import { Field } from "@/ui/Field";
import { SendCodeButton } from "@/ui/SendCodeButton";
import { cleanCode } from "./rules";
import type { SmsCode } from "./useSmsCode";

interface Props {
  field: UseFormRegisterReturn;
  error?: string;
  sms: SmsCode;
  /** The form's phone number at the moment of the click. */
  phone: () => string;
  onLeave?: () => void;
}

/** The SMS code, with the button that sends it. */
export function CodeField({ field, error, sms, phone, onLeave }: Props) {
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
        <SendCodeButton
          seconds={sms.seconds}
          busy={sms.busy}
          onSend={() => void sms.send(phone())}
          words={authMessages}
        />
      }
    />
  );
}
