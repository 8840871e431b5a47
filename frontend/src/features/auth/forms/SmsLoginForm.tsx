import Button from "@mui/material/Button";
import { useForm } from "react-hook-form";
import { useAuthLoginByPhoneMutation } from "@/api";
import { authMessages } from "@/messages/auth";
import { parseTokenReply } from "@/session/token";
import { toast } from "@/ui/toast";
import { CodeField } from "../CodeField";
import { CaptchaPanel } from "../captcha/CaptchaPanel";
import { useCaptcha } from "../captcha/useCaptcha";
import { Field } from "../Field";
import { checkCode, checkPhone, cleanPhone } from "../rules";
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
    if (answer.error) return;
    const reply = parseTokenReply(answer.data);
    if (reply) onToken(reply);
    else toast.error(authMessages.unreadableToken);
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="手机号"
        field={register("phone", { validate: (value) => checkPhone(value) ?? true })}
        clean={cleanPhone}
        error={formState.errors.phone?.message}
        placeholder="11 位手机号"
        inputMode="tel"
        autoComplete="tel"
      />
      <CodeField
        field={register("code", {
          validate: (value, all) => checkCode(value, sms.keyFor(all.phone)) ?? true,
        })}
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
