import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Select from "@mui/material/Select";
import { useId } from "react";
import { Controller, useForm } from "react-hook-form";
import { useRegisterPhoneMutation } from "@/calls/auth";
import { professions } from "@/messages/professions";
import { deviceKey } from "@/session/token";
import { PasswordField } from "@/ui/Field";
import { CodeField } from "../CodeField";
import { ConsentField, consentRule } from "../ConsentField";
import { CaptchaPanel } from "../captcha/CaptchaPanel";
import { useCaptcha } from "../captcha/useCaptcha";
import { codeRule, PhoneField, phoneRule } from "../PhoneField";
import { checkPassword, cleanPassword } from "../rules";
import { takeToken } from "../takeToken";
import type { FormProps } from "../types";
import { useSmsCode } from "../useSmsCode";

/** Registration by phone. Signs the user in, then asks for interest and purpose, then for the promotion code. */
export function RegisterForm({ memory, onToken }: FormProps) {
  const { register, control, handleSubmit, getValues, setError, clearErrors, formState } = useForm({
    defaultValues: { phone: memory.phone, password: "", code: "", professionCode: "other", consent: false },
  });
  const { errors } = formState;
  const professionId = useId();
  const captcha = useCaptcha();
  const sms = useSmsCode({
    mode: "register",
    captcha,
    codes: memory.codes,
    onRefused: (message) => setError("phone", { message }, { shouldFocus: true }),
  });
  const [send, { isLoading }] = useRegisterPhoneMutation();

  const submit = handleSubmit(async (values) => {
    const answer = await send({
      phoneno: values.phone,
      verifycode: values.code,
      password: values.password,
      smsKey: sms.keyFor(values.phone),
      professionCode: values.professionCode,
      device: deviceKey(),
    });
    takeToken(answer, (reply) => onToken(reply, "interest"));
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <PhoneField field={register("phone", phoneRule(memory))} error={errors.phone?.message} />
      <PasswordField
        label="密码"
        field={register("password", { validate: (value) => checkPassword(value) ?? true })}
        clean={cleanPassword}
        error={errors.password?.message}
        placeholder="6~16 位字符"
        autoComplete="new-password"
      />
      <CodeField
        field={register("code", codeRule(sms))}
        error={errors.code?.message}
        sms={sms}
        phone={() => {
          clearErrors("phone");
          return getValues("phone");
        }}
      />
      <Box
        component="span"
        id={professionId}
        sx={{ display: "block", mb: 0.75, fontSize: 13, lineHeight: "20px", color: "text.secondary" }}
      >
        职业
      </Box>
      <Controller
        control={control}
        name="professionCode"
        render={({ field }) => (
          <Select {...field} fullWidth labelId={professionId}>
            {professions.map(({ code, label }) => (
              <MenuItem key={code} value={code}>
                {label}
              </MenuItem>
            ))}
          </Select>
        )}
      />
      <ConsentField field={register("consent", consentRule)} error={errors.consent?.message} />
      <Button type="submit" variant="contained" size="large" fullWidth loading={isLoading}>
        注册
      </Button>
      <CaptchaPanel captcha={captcha} />
    </form>
  );
}
