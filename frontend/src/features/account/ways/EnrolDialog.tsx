import Box from "@mui/material/Box";
import { useForm } from "react-hook-form";
import { codeOf, messageOf } from "@/api";
import { type AuthBeginSecondFactorReply, useConfirmSecondFactorMutation } from "@/calls/auth";
import { cleanCode } from "@/features/auth";
import { accountMessages as m } from "@/messages/account";
import { CopyText } from "@/ui/CopyText";
import { Field } from "@/ui/Field";
import { FormDialog } from "@/ui/FormDialog";
import { QrCode } from "@/ui/QrCode";

const WRONG_CODE = 60206;

/** Shows the secret for the authenticator app and asks for the app's first code. */
export function EnrolDialog({
  begun,
  onDone,
  onClose,
}: {
  begun: AuthBeginSecondFactorReply;
  onDone: (codes: readonly string[]) => void;
  onClose: () => void;
}) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { code: "" } });
  const [confirm, { isLoading }] = useConfirmSecondFactorMutation();
  const submit = handleSubmit(async ({ code }) => {
    const answer = await confirm({ verifycode: code });
    if (answer.data) onDone(answer.data.codes);
    else if (codeOf(answer.error) === WRONG_CODE)
      setError("code", { message: messageOf(answer.error) }, { shouldFocus: true });
  });
  const check = (value: string) => {
    if (!value) return m.factorRequired;
    return /^\d{6}$/.test(value) || m.factorWrong;
  };

  return (
    <FormDialog
      title="开启两步验证"
      confirmText="开启"
      busy={isLoading}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Box component="ol" sx={{ m: 0, mb: 2, pl: 2.5, "& li": { mb: 1 } }}>
        <li>
          在手机上安装验证器应用，例如系统自带的密码管理、Microsoft Authenticator 或其他支持 TOTP 的应用。
        </li>
        <li>
          用它扫描二维码，或手动输入密钥。
          <Box sx={{ mt: 1.5, textAlign: "center" }}>
            <QrCode value={begun.uri} label="验证器" size={160} />
          </Box>
          <Box sx={{ mt: 1, fontSize: 12, overflowWrap: "anywhere" }}>
            <CopyText text={begun.secret} label="密钥" />
          </Box>
        </li>
        <li>输入应用显示的 6 位数字。</li>
      </Box>
      <Field
        label="动态验证码"
        field={register("code", { validate: check })}
        clean={cleanCode}
        error={formState.errors.code?.message}
        placeholder="6 位数字"
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </FormDialog>
  );
}
