import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOf } from "@/api";
import {
  type AuthAccountSecurityReply,
  useAccountSecurityQuery,
  useConfirmIdentityMutation,
  useSendOwnCodeMutation,
} from "@/calls/auth";
import { RESEND_SECONDS } from "@/facts/auth";
import { accountMessages } from "@/messages/account";
import { authMessages } from "@/messages/auth";
import { Field, PasswordField } from "@/ui/Field";
import { ReadFailed } from "@/ui/ReadFailed";
import { SendCodeButton } from "@/ui/SendCodeButton";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { useSentCode } from "@/ui/useSentCode";

const METHODS = { password: "密码", sms: "短信验证码", totp: "动态验证码", recovery: "恢复码" } as const;
type Method = keyof typeof METHODS;
const isMethod = (name: string): name is Method => name in METHODS;

const digits = (value: string) => value.replace(/\D/g, "").slice(0, 6);

/** Re-authenticates the user; calls back with whether they confirmed. */
export default function ProofDialog({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const titleId = useId();
  const security = useAccountSecurityQuery({}, { refetchOnMountOrArgChange: true });
  return (
    <Dialog open onClose={() => onDone(false)} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>{accountMessages.proofTitle}</DialogTitle>
      {security.data ? (
        <ProofForm security={security.data} onDone={onDone} />
      ) : (
        <DialogContent>
          {security.isError ? (
            <ReadFailed dense what="验证方式" onRetry={security.refetch} />
          ) : (
            <LinesSkeleton lines={4} />
          )}
        </DialogContent>
      )}
    </Dialog>
  );
}

function ProofForm({
  security,
  onDone,
}: {
  security: AuthAccountSecurityReply;
  onDone: (confirmed: boolean) => void;
}) {
  const methods = security.confirmMethods.filter(isMethod);
  const [method, setMethod] = useState<Method>(methods[0] ?? "sms");
  const { register, handleSubmit, setError, reset, formState } = useForm({ defaultValues: { proof: "" } });
  const [confirm, { isLoading }] = useConfirmIdentityMutation();
  const [sendOwn] = useSendOwnCodeMutation();
  const sms = useSentCode(async () => {
    const answer = await sendOwn({});
    if (answer.data) toast.success(authMessages.sent);
    return answer.data;
  }, RESEND_SECONDS);

  const submit = handleSubmit(async ({ proof }) => {
    const given = method === "password" ? { password: proof } : { verifycode: proof.trim() };
    const answer = await confirm({ method, ...given, ...(method === "sms" && { smsKey: sms.key }) });
    if (answer.error) setError("proof", { message: messageOf(answer.error) }, { shouldFocus: true });
    else onDone(true);
  });

  const check = (value: string) => {
    if (method === "sms" && !sms.key) return authMessages.codeNotRequested;
    if (value.trim()) return true;
    const missing = {
      password: authMessages.passwordRequired,
      sms: authMessages.codeRequired,
      totp: accountMessages.factorRequired,
      recovery: accountMessages.recoveryRequired,
    };
    return missing[method];
  };
  const field = register("proof", { validate: check });
  const error = formState.errors.proof?.message;

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogContent sx={{ pt: 0 }}>
        <Box sx={{ mb: 2, color: "text.secondary" }}>{accountMessages.proofText}</Box>
        {methods.length > 1 && (
          <Tabs
            value={method}
            onChange={(_event, value: Method) => {
              setMethod(value);
              reset();
            }}
            aria-label="验证方式"
            sx={{ mb: 2, minHeight: 40, "& .MuiTab-root": { minHeight: 40, minWidth: 0, px: 0, mr: 3 } }}
          >
            {methods.map((name) => (
              <Tab key={name} value={name} label={METHODS[name]} />
            ))}
          </Tabs>
        )}
        {method === "password" && (
          <PasswordField
            key={method}
            label="登录密码"
            field={field}
            error={error}
            autoComplete="current-password"
            autoFocus
          />
        )}
        {method === "sms" && (
          <Field
            key={method}
            label={`验证码（发送到 ${security.phone}）`}
            field={field}
            clean={digits}
            error={error}
            placeholder="短信中的 6 位数字"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            end={
              <SendCodeButton
                seconds={sms.seconds}
                busy={sms.busy}
                onSend={() => void sms.send()}
                words={authMessages}
              />
            }
          />
        )}
        {method === "totp" && (
          <Field
            key={method}
            label="验证器中的动态验证码"
            field={field}
            clean={digits}
            error={error}
            placeholder="6 位数字"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        )}
        {method === "recovery" && (
          <Field key={method} label="恢复码" field={field} error={error} autoComplete="off" autoFocus />
        )}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={() => onDone(false)}>
          取消
        </Button>
        <Button type="submit" variant="contained" loading={isLoading}>
          确认
        </Button>
      </DialogActions>
    </form>
  );
}
