import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { apiErrorOf, codeOf } from "@/api";
import { authEndpoints, useTokenMutation } from "@/calls/auth";
import { authMessages } from "@/messages/auth";
import { deviceKey, parseTokenReply } from "@/session/token";
import { useAppDispatch } from "@/store/hooks";
import { Field, PasswordField } from "@/ui/Field";
import { toast } from "@/ui/toast";
import { CaptchaBar, CaptchaPanel } from "../captcha/CaptchaPanel";
import { useAssessment } from "../captcha/useAssessment";
import { useCaptcha } from "../captcha/useCaptcha";
import { factorRequest } from "../factor";
import { checkAccount, checkPassword, checkPhone, cleanAccount, cleanPassword } from "../rules";
import type { LoginFormProps } from "../types";
import { keptIn } from "../useCardMemory";

/** The account is not registered. */
const NOT_REGISTERED = 60200;
/** The slider must be passed, again or for the first time. */
const SLIDER_DEMANDED = 60201;

interface Values {
  account: string;
  password: string;
}

/** Sign-in by password; if the server requires the slider, it is passed before the call is sent. */
export function PasswordLoginForm({ memory, go, onToken, onFactor }: LoginFormProps) {
  const dispatch = useAppDispatch();
  const { register, handleSubmit, getValues, formState, watch } = useForm<Values>({
    defaultValues: { account: memory.account, password: "" },
  });
  const captcha = useCaptcha();
  // The account that does not exist; the hint is about no other.
  const [unknown, setUnknown] = useState("");
  const [login, { isLoading }] = useTokenMutation();
  const assess = useAssessment();
  const [asking, setAsking] = useState(false);
  // Guards against a second Enter before the state is updated.
  const working = useRef(false);

  const send = async ({ account, password }: Values, ticket: string) => {
    const form = { username: account, password, device: deviceKey() };
    const answer = await login({ ...form, nvcTicket: ticket });
    const factor = factorRequest(answer.error, (second) =>
      dispatch(authEndpoints.token.initiate({ ...form, ...second }, { track: false })),
    );
    if (factor) {
      onFactor(factor);
      return;
    }
    if (answer.error) {
      const known = apiErrorOf(answer.error);
      const unasked = !ticket && codeOf(answer.error) === SLIDER_DEMANDED;
      if (unasked && known?.message === authMessages.captchaRequired) {
        // The slider has become required since the assessment.
        captcha.demand((fresh) => void send({ account, password }, fresh));
        return;
      }
      // The ticket is used up, also when the server itself demands a new check (60201).
      if (known?.kind !== "network") captcha.reset();
      setUnknown(codeOf(answer.error) === NOT_REGISTERED ? account : "");
      return;
    }
    const reply = parseTokenReply(answer.data);
    if (reply) onToken(reply);
    else toast.error(authMessages.unreadableToken);
  };

  const submit = handleSubmit(async (values) => {
    if (working.current) return;
    setUnknown("");
    const ticket = captcha.take();
    if (ticket) return send(values, ticket);
    working.current = true;
    setAsking(true);
    const needed = await assess({ scene: "password", account: values.account, device: deviceKey() });
    working.current = false;
    setAsking(false);
    if (needed === "go") return send(values, "");
    if (needed && needed !== "password") captcha.demand((fresh) => void send(values, fresh), needed);
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="手机号或邮箱"
        field={register("account", { validate: (value) => checkAccount(value) ?? true, ...keptIn(memory) })}
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
      {unknown && unknown === watch("account") && (
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
      <Button
        type="submit"
        variant="contained"
        size="large"
        fullWidth
        loading={isLoading || asking}
        sx={{ mt: 2.5 }}
      >
        登录
      </Button>
      <CaptchaPanel captcha={captcha} />
    </form>
  );
}
