import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { codeOf, messageOf } from "@/api";
import { accountMessages as m } from "@/messages/account";
import { authMessages } from "@/messages/auth";
import { Field } from "@/ui/Field";
import { FACTOR_NEEDED, type FactorRequest } from "./factor";
import { BackIcon } from "./icons";
import { cleanCode } from "./rules";
import { takeToken } from "./takeToken";
import type { FormProps } from "./types";

/** The second factor of a sign-in, after the first was accepted. */
export function FactorStep({
  request,
  onToken,
  onBack,
}: {
  request: FactorRequest;
  onToken: FormProps["onToken"];
  onBack: () => void;
}) {
  const [recovery, setRecovery] = useState(false);
  const { register, handleSubmit, setError, reset, formState } = useForm({ defaultValues: { code: "" } });
  const error = formState.errors.code?.message;

  const submit = handleSubmit(async ({ code }) => {
    const answer = await request.send(code.trim());
    if (codeOf(answer.error) === FACTOR_NEEDED) {
      setError("code", { message: messageOf(answer.error) }, { shouldFocus: true });
      return;
    }
    // The first factor is needed again; the reason was already reported.
    if (answer.error) onBack();
    else takeToken(answer, onToken);
  });
  const check = (value: string) => {
    if (recovery) return value.trim() ? true : m.recoveryRequired;
    if (!value) return m.factorRequired;
    return /^\d{6}$/.test(value) || m.factorWrong;
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Box component="h3" sx={{ m: 0, mt: 2, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
        {m.factorTitle}
      </Box>
      <Box sx={{ mt: 0.5, mb: 2.5, color: "text.secondary" }}>{recovery ? m.recoveryHint : m.factorHint}</Box>
      {recovery ? (
        <Field
          key="recovery"
          label="恢复码"
          field={register("code", { validate: check })}
          error={error}
          autoComplete="off"
          autoFocus
        />
      ) : (
        <Field
          key="app"
          label="动态验证码"
          field={register("code", { validate: check })}
          clean={cleanCode}
          error={error}
          placeholder="6 位数字"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
      )}
      <Button type="submit" variant="contained" size="large" fullWidth loading={formState.isSubmitting}>
        登录
      </Button>
      <Box sx={{ display: "flex", justifyContent: "space-between", mt: 2 }}>
        <Link
          component="button"
          type="button"
          onClick={onBack}
          sx={{ display: "inline-flex", alignItems: "center", gap: 0.5, ml: -0.5 }}
        >
          <BackIcon />
          {authMessages.backToLogin}
        </Link>
        <Link
          component="button"
          type="button"
          color="text.secondary"
          onClick={() => {
            setRecovery(!recovery);
            reset();
          }}
        >
          {recovery ? m.useApp : m.useRecovery}
        </Link>
      </Box>
    </form>
  );
}
