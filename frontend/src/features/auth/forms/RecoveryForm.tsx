import Button from "@mui/material/Button";
import type { FormEvent } from "react";
import { useForm } from "react-hook-form";
import { codeOf } from "@/api";
import { useFindPwdByPhoneMutation } from "@/calls/auth";
import { authMessages } from "@/messages/auth";
import { Field, PasswordField } from "@/ui/Field";
import { toast } from "@/ui/toast";
import { CodeField } from "../CodeField";
import { CaptchaBar, CaptchaPanel } from "../captcha/CaptchaPanel";
import { useCaptcha } from "../captcha/useCaptcha";
import {
  checkConfirmField,
  checkPassword,
  checkPhone,
  checkRecovery,
  cleanPassword,
  cleanPhone,
  type RecoveryValues,
} from "../rules";
import type { FormProps } from "../types";
import { useSmsCode } from "../useSmsCode";

/** The slider must be passed again. */
const SLIDER_DEMANDED = 60201;

/**
 * Sets a new password by SMS code. On submit the checks run in a fixed order and only the first failure is reported, as a toast
 * and at its field; each field also validates on blur. The pass that sent the code also serves the form.
 */
export function RecoveryForm({ memory, go }: FormProps) {
  const { register, getValues, setError, clearErrors, formState } = useForm<RecoveryValues>({
    defaultValues: { phone: memory.phone, password: "", confirm: "", code: "" },
  });
  const { errors } = formState;
  const captcha = useCaptcha();
  const sms = useSmsCode({
    mode: "rebuild",
    captcha,
    codes: memory.codes,
    onRefused: (message) => setError("phone", { message }, { shouldFocus: true }),
  });
  const [change, { isLoading }] = useFindPwdByPhoneMutation();

  /** Validates a field on blur; an empty field is skipped unless `always`. */
  const leave = (
    name: keyof RecoveryValues,
    check: (value: string) => string | undefined,
    always = false,
  ) => {
    const value = getValues(name);
    const message = value || always ? check(value) : undefined;
    if (message) setError(name, { message });
    else clearErrors(name);
  };
  const field = (name: keyof RecoveryValues) =>
    register(name, {
      onChange: ({ target }) => {
        clearErrors(name);
        if (name === "phone") memory.typed(target.value);
      },
    });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    const values = getValues();
    const smsKey = sms.keyFor(values.phone);
    const failure = checkRecovery(values, smsKey, captcha.passed);
    if (failure) {
      toast.error(failure.message);
      if (failure.field !== "captcha")
        setError(failure.field, { message: failure.message }, { shouldFocus: true });
      return;
    }
    const answer = await change({
      phoneno: values.phone,
      verifycode: values.code,
      password: values.password,
      smsKey,
      nvcTicket: captcha.held(),
    });
    if (answer.error) {
      // A wrong code does not require another puzzle.
      if (codeOf(answer.error) === SLIDER_DEMANDED) captcha.reset();
      return;
    }
    captcha.reset();
    toast.success(authMessages.changed);
    go("login", values.phone);
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="手机号"
        field={field("phone")}
        clean={cleanPhone}
        error={errors.phone?.message}
        onLeave={() => leave("phone", checkPhone)}
        placeholder="注册时的手机号"
        inputMode="tel"
        autoComplete="tel-national"
      />
      <PasswordField
        label="新密码"
        field={field("password")}
        clean={cleanPassword}
        error={errors.password?.message}
        onLeave={() => leave("password", checkPassword)}
        placeholder="6~16 位字符"
        autoComplete="new-password"
      />
      <PasswordField
        label="确认密码"
        field={field("confirm")}
        clean={cleanPassword}
        error={errors.confirm?.message}
        onLeave={() => leave("confirm", (value) => checkConfirmField(value, getValues("password")), true)}
        placeholder="再次输入新密码"
        autoComplete="new-password"
      />
      <CodeField
        field={field("code")}
        error={errors.code?.message}
        sms={sms}
        phone={() => {
          clearErrors("phone");
          return getValues("phone");
        }}
      />
      <CaptchaBar captcha={captcha} />
      <Button type="submit" variant="contained" size="large" fullWidth loading={isLoading} sx={{ mt: 2.5 }}>
        确认修改
      </Button>
      <CaptchaPanel captcha={captcha} />
    </form>
  );
}
