import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { apiErrorOf, codeOf } from "@/api";
import { useAuthTokenMutation } from "@/calls/auth";
import { authMessages } from "@/messages/auth";
import { parseTokenReply } from "@/session/token";
import { toast } from "@/ui/toast";
import { CaptchaBar, CaptchaPanel } from "../captcha/CaptchaPanel";
import { useCaptcha } from "../captcha/useCaptcha";
import { Field, PasswordField } from "../Field";
import { checkAccount, checkPassword, checkPhone, cleanAccount, cleanPassword } from "../rules";
import type { FormProps } from "../types";

/** The account is not registered. */
const NOT_REGISTERED = 60200;

interface Values {
  account: string;
  password: string;
}

/** Sign-in by password; the slider is passed before the call is sent. */
export function PasswordLoginForm({ phone, go, onToken }: FormProps) {
  const { register, handleSubmit, getValues, formState } = useForm<Values>({
    defaultValues: { account: phone, password: "" },
  });
  const captcha = useCaptcha();
  const [unknown, setUnknown] = useState(false);
  const [login, { isLoading }] = useAuthTokenMutation();

  const send = async ({ account, password }: Values, ticket: string) => {
    const answer = await login({ username: account, password, nvcTicket: ticket });
    if (answer.error) {
      // The ticket is spent, also where the server asks for a new check itself (60201).
      if (apiErrorOf(answer.error)?.kind !== "network") captcha.reset();
      setUnknown(codeOf(answer.error) === NOT_REGISTERED);
      return;
    }
    const reply = parseTokenReply(answer.data);
    if (reply) onToken(reply);
    else toast.error(authMessages.unreadableToken);
  };

  const submit = handleSubmit((values) => {
    setUnknown(false);
    const ticket = captcha.take();
    if (ticket) return send(values, ticket);
    captcha.demand((fresh) => void send(values, fresh));
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="手机号或邮箱"
        field={register("account", { validate: (value) => checkAccount(value) ?? true })}
        clean={cleanAccount}
        error={formState.errors.account?.message}
        placeholder="手机号或邮箱"
        inputMode="email"
        autoComplete="username"
      />
      <PasswordField
        label="密码"
        field={register("password", { validate: (value) => checkPassword(value) ?? true })}
        clean={cleanPassword}
        error={formState.errors.password?.message}
        placeholder="6~16 位字符"
        autoComplete="current-password"
      />
      <CaptchaBar captcha={captcha} />
      {unknown && (
        <Box
          role="alert"
          sx={{ mt: 1.5, px: 1.5, py: 1, borderRadius: 1, bgcolor: "rgba(217,119,6,.08)", fontSize: 13 }}
        >
          {authMessages.notRegistered}
          <Link
            component="button"
            type="button"
            onClick={() => {
              const account = getValues("account");
              go("register", checkPhone(account) ? "" : account);
            }}
            sx={{ verticalAlign: "baseline", font: "inherit" }}
          >
            {authMessages.goRegister}
          </Link>
        </Box>
      )}
      <Button type="submit" variant="contained" size="large" fullWidth loading={isLoading} sx={{ mt: 2.5 }}>
        登录
      </Button>
      <CaptchaPanel captcha={captcha} />
    </form>
  );
}
