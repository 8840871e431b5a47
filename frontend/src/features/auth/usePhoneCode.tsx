import { useForm } from "react-hook-form";
import { CodeField } from "./CodeField";
import { ConsentField, consentRule } from "./ConsentField";
import { useCaptcha } from "./captcha/useCaptcha";
import { codeRule, PhoneField, phoneRule } from "./PhoneField";
import type { CardMemory } from "./useCardMemory";
import { useSmsCode } from "./useSmsCode";

/**
 * Form for binding a phone number to an account: the number and the code sent to it; with `consent` also what is needed to make
 * the account.
 */
export function usePhoneCode({ memory, consent = false }: { memory?: CardMemory; consent?: boolean } = {}) {
  const { register, handleSubmit, getValues, setError, clearErrors, formState } = useForm({
    defaultValues: { phone: memory?.phone ?? "", code: "", consent: false },
  });
  const captcha = useCaptcha();
  const sms = useSmsCode({
    mode: "bindPhone",
    captcha,
    codes: memory?.codes,
    onRefused: (message) => setError("phone", { message }, { shouldFocus: true }),
  });
  const fields = (
    <>
      <PhoneField field={register("phone", phoneRule(memory))} error={formState.errors.phone?.message} />
      <CodeField
        field={register("code", codeRule(sms))}
        error={formState.errors.code?.message}
        sms={sms}
        phone={() => {
          clearErrors("phone");
          return getValues("phone");
        }}
      />
      {consent && (
        <ConsentField field={register("consent", consentRule)} error={formState.errors.consent?.message} />
      )}
    </>
  );
  return { fields, captcha, sms, handleSubmit };
}
