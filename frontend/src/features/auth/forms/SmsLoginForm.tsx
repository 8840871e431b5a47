import Button from "@mui/material/Button";
import { useForm } from "react-hook-form";
import { codeOf } from "@/api";
import { authEndpoints, useLoginByPhoneMutation } from "@/calls/auth";
import { deviceKey } from "@/session/token";
import { useAppDispatch } from "@/store/hooks";
import { CodeField } from "../CodeField";
import { CaptchaPanel } from "../captcha/CaptchaPanel";
import { useCaptcha } from "../captcha/useCaptcha";
import { codeRule, PhoneField, phoneRule } from "../PhoneField";
import { takeToken } from "../takeToken";
import { FACTOR_NEEDED, type LoginFormProps } from "../types";
import { useSmsCode } from "../useSmsCode";

/** Sign-in by a code sent to the phone. */
export function SmsLoginForm({ phone, go, onToken, onFactor }: LoginFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({ defaultValues: { phone, code: "" }, shouldFocusError: true });
  const { register, handleSubmit, getValues, setError, clearErrors, formState } = form;
  const captcha = useCaptcha();
  const sms = useSmsCode({
    mode: "login",
    captcha,
    onRefused: (message) => setError("phone", { message }, { shouldFocus: true }),
    onUnknown: (unknown) => go("register", unknown),
  });
  const [login, { isLoading }] = useLoginByPhoneMutation();

  const submit = handleSubmit(async (values) => {
    const form = {
      phoneno: values.phone,
      verifycode: values.code,
      smsKey: sms.keyFor(values.phone),
      device: deviceKey(),
    };
    const answer = await login(form);
    if (codeOf(answer.error) !== FACTOR_NEEDED) {
      takeToken(answer, onToken);
      return;
    }
    // This error does not use up the code. The second-factor step replaces this form, so its request must outlive the form.
    onFactor({
      send: async (totp) =>
        dispatch(authEndpoints.loginByPhone.initiate({ ...form, totp }, { track: false })),
    });
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
