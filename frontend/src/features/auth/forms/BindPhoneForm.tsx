import Avatar from "@mui/material/Avatar";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useRelatedPhoneMutation } from "@/calls/auth";
import { providers } from "@/session/thirdParty";
import { deviceKey } from "@/session/token";
import { useAppSelector } from "@/store/hooks";
import { CaptchaPanel } from "../captcha/CaptchaPanel";
import { takeToken } from "../takeToken";
import type { FormProps } from "../types";
import { usePhoneCode } from "../usePhoneCode";

/** Makes the account of a social identity that is new to this site, with a phone number; then as after any registration. */
export function BindPhoneForm({ memory, onToken }: FormProps) {
  const { thirdPartyAvatar, thirdPartyNickname, thirdPartyType, bindTicket } = useAppSelector(
    (state) => state.session,
  );
  const { fields, captcha, sms, handleSubmit } = usePhoneCode({ memory, consent: true });
  const [bind, { isLoading }] = useRelatedPhoneMutation();

  const submit = handleSubmit(async (values) => {
    const answer = await bind({
      phoneno: values.phone,
      verifycode: values.code,
      smsKey: sms.keyFor(values.phone),
      bindTicket,
      device: deviceKey(),
    });
    takeToken(answer, (reply) => onToken(reply, "interest"));
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {bindTicket && (
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, mb: 2.5 }}>
          <Avatar src={thirdPartyAvatar || undefined} alt="" sx={{ width: 40, height: 40 }} />
          <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
            {thirdPartyNickname || `${providers.find(({ id }) => id === thirdPartyType)?.name ?? ""}用户`}
          </Box>
        </Box>
      )}
      {fields}
      <Button type="submit" variant="contained" size="large" fullWidth loading={isLoading} sx={{ mt: 1 }}>
        绑定并登录
      </Button>
      <CaptchaPanel captcha={captcha} />
    </form>
  );
}
