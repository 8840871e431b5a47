import Avatar from "@mui/material/Avatar";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useForm } from "react-hook-form";
import { useAuthRelatedPhoneMutation } from "@/calls/auth";
import { useAppSelector } from "@/store/hooks";
import { CodeField } from "../CodeField";
import { CaptchaPanel } from "../captcha/CaptchaPanel";
import { useCaptcha } from "../captcha/useCaptcha";
import { codeRule, PhoneField, phoneRule } from "../PhoneField";
import { takeToken } from "../takeToken";
import type { FormProps } from "../types";
import { useSmsCode } from "../useSmsCode";

/** Binds a phone number to an identity of a social provider that is new here. */
export function BindPhoneForm({ phone, onToken }: FormProps) {
  const { thirdPartyAvatar, thirdPartyNickname, openId, thirdPartyType } = useAppSelector(
    (state) => state.session,
  );
  const { register, handleSubmit, getValues, setError, clearErrors, formState } = useForm({
    defaultValues: { phone, code: "" },
  });
  const captcha = useCaptcha();
  const sms = useSmsCode({
    mode: "bindPhone",
    captcha,
    onRefused: (message) => setError("phone", { message }, { shouldFocus: true }),
  });
  const [bind, { isLoading }] = useAuthRelatedPhoneMutation();

  const submit = handleSubmit(async (values) => {
    const answer = await bind({
      phoneno: values.phone,
      verifycode: values.code,
      smsKey: sms.keyFor(values.phone),
      openId,
      type: thirdPartyType,
    });
    takeToken(answer, onToken);
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {thirdPartyNickname && (
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, mb: 2.5 }}>
          <Avatar src={thirdPartyAvatar} alt="" sx={{ width: 40, height: 40 }} />
          <span>{thirdPartyNickname}</span>
        </Box>
      )}
      <PhoneField field={register("phone", phoneRule)} error={formState.errors.phone?.message} />
      <CodeField
        field={register("code", codeRule(sms))}
        error={formState.errors.code?.message}
        sms={sms}
        phone={() => {
          clearErrors("phone");
          return getValues("phone");
        }}
      />
      <Button type="submit" variant="contained" size="large" fullWidth loading={isLoading} sx={{ mt: 1 }}>
        绑定并登录
      </Button>
      <CaptchaPanel captcha={captcha} />
    </form>
  );
}
