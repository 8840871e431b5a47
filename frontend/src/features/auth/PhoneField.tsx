import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "@/ui/Field";
import { checkCode, checkPhone, cleanPhone } from "./rules";
import { type CardMemory, keptIn } from "./useCardMemory";
import type { SmsCode } from "./useSmsCode";

export const phoneRule = (memory?: CardMemory) => ({
  validate: (value: string) => checkPhone(value) ?? true,
  ...keptIn(memory),
});

/** The code must have been sent to the number in the form. */
export const codeRule = (sms: SmsCode) => ({
  validate: (value: string, all: { phone: string }) => checkCode(value, sms.keyFor(all.phone)) ?? true,
});

/** The phone number for sign-in. */
export function PhoneField({ field, error }: { field: UseFormRegisterReturn; error?: string }) {
  return (
    <Field
      label="手机号"
      field={field}
      clean={cleanPhone}
      error={error}
      placeholder="11 位手机号"
      inputMode="tel"
      autoComplete="tel-national"
    />
  );
}
