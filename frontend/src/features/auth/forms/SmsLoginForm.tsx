import Button from "@mui/material/Button";
import { useForm } from "react-hook-form";
import { useAuthLoginByPhoneMutation } from "@/calls/auth";
import { CodeField } from "../CodeField";
import { CaptchaPanel } from "../captcha/CaptchaPanel";
import { useCaptcha } from "../captcha/useCaptcha";
import { codeRule, PhoneField, phoneRule } from "../PhoneField";
import { takeToken } from "../takeToken";
import type { FormProps } from "../types";
import { useSmsCode } from "../useSmsCode";

/** Sign-in by a code sent to the phone. */
export function SmsLoginForm({ phone, go, onToken }: FormProps) {
  const form = useForm({ defaultValues: { phone, code: "" }, shouldFocusError: true });
  const { register, handleSubmit, getValues, setError, clearErrors, formState } = form;
  const captcha = useCaptcha();
  const sms = useSmsCode({
    mode: "login",
    captcha,
    onRefused: (message) => setError("phone", { message }, { shouldFocus: true }),
    onUnknown: (unknown) => go("register", unknown),
  });
  const [login, { isLoading }] = useAuthLoginByPhoneMutation();

  const submit = handleSubmit(async (values) => {
    const answer = await login({
      phoneno: values.phone,
      verifycode: values.code,
      smsKey: sms.keyFor(values.phone),
    });
    takeToken(answer, onToken);
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <PhoneField field={register("phone", phoneRule)} error={formState.errors.phone?.message} />
      <CodeField
        field={register("code", codeRule(sms))}
        error={formState.errors.code?.message}
        sms={sms}
        phone={() => {
          clearErrors();
          return getValues("phone");
        }}
      />
      <Button type="submit" variant="contained" size="large" fullWidth loading={isLoading} sx={{ mt: 1 }}>
        登录
      </Button>
      <CaptchaPanel captcha={captcha} />
    </form>
  );
}
