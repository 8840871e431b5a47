import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useCallback, useState } from "react";
import { useForm } from "react-hook-form";
import { authEndpoints, useLoginByPhoneMutation } from "@/calls/auth";
import { authMessages } from "@/messages/auth";
import { deviceKey } from "@/session/token";
import { useAppDispatch } from "@/store/hooks";
import { PasswordField } from "@/ui/Field";
import { CodeField } from "../CodeField";
import { CaptchaPanel } from "../captcha/CaptchaPanel";
import { useCaptcha } from "../captcha/useCaptcha";
import { factorRequest } from "../factor";
import { codeRule, PhoneField, phoneRule } from "../PhoneField";
import { checkPassword, cleanPassword } from "../rules";
import { takeToken } from "../takeToken";
import type { LoginFormProps } from "../types";
import { useSmsCode } from "../useSmsCode";

/** Sign-in by a code sent to the phone. */
export function SmsLoginForm({ memory, go, onToken, onFactor }: LoginFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({
    defaultValues: { phone: memory.phone, code: "", password: "" },
    shouldFocusError: true,
  });
  const { register, handleSubmit, getValues, setError, clearErrors, formState, watch } = form;
  const captcha = useCaptcha();
  // The number whose codes others have used up: its owner shows the password.
  const [usedUp, setUsedUp] = useState("");
  const onPassword = useCallback(() => setUsedUp(getValues("phone")), [getValues]);
  const password = useCallback(
    () => (usedUp && usedUp === getValues("phone") ? getValues("password") : ""),
    [getValues, usedUp],
  );
  const sms = useSmsCode({
    mode: "login",
    captcha,
    codes: memory.codes,
    onRefused: (message) => setError("phone", { message }, { shouldFocus: true }),
    onUnknown: (unknown) => go("register", unknown),
    onPassword,
    password,
  });
  const send = async (number: string) => {
    const wrong = number === usedUp && checkPassword(getValues("password"));
    if (wrong) setError("password", { message: wrong }, { shouldFocus: true });
    else await sms.send(number);
  };
  const [login, { isLoading }] = useLoginByPhoneMutation();

  const submit = handleSubmit(async (values) => {
    const form = {
      phoneno: values.phone,
      verifycode: values.code,
      smsKey: sms.keyFor(values.phone),
      device: deviceKey(),
    };
    const answer = await login(form);
    // Being asked for the second factor does not use up the code.
    const factor = factorRequest(answer.error, ({ totp }) =>
      dispatch(authEndpoints.loginByPhone.initiate({ ...form, totp }, { track: false })),
    );
    if (factor) onFactor(factor);
    else takeToken(answer, onToken);
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <PhoneField field={register("phone", phoneRule(memory))} error={formState.errors.phone?.message} />
      {usedUp && usedUp === watch("phone") && (
        <Box sx={{ mb: 2.5, p: 1.5, pb: 0.5, borderRadius: 1, bgcolor: "rgba(217,119,6,.08)" }}>
          <Box role="status" sx={{ mb: 1.5, fontSize: 13, lineHeight: "20px" }}>
            {authMessages.showPassword}
          </Box>
          <PasswordField
            label="登录密码"
            field={register("password")}
            clean={cleanPassword}
            error={formState.errors.password?.message}
            placeholder="6~16 位字符"
            autoComplete="current-password"
            autoFocus
          />
        </Box>
      )}
      <CodeField
        field={register("code", codeRule(sms))}
        error={formState.errors.code?.message}
        sms={{ ...sms, send }}
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
