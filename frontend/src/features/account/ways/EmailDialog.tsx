import { useForm } from "react-hook-form";
import { useBindEmailMutation, useSendMailCodeMutation } from "@/calls/auth";
import { RESEND_SECONDS } from "@/facts/auth";
import { cleanCode } from "@/features/auth";
import { email as isEmail } from "@/lib/validators";
import { accountMessages as m } from "@/messages/account";
import { authMessages } from "@/messages/auth";
import { Field } from "@/ui/Field";
import { FormDialog } from "@/ui/FormDialog";
import { SendCodeButton } from "@/ui/SendCodeButton";
import { toast } from "@/ui/toast";
import { useSentCode } from "@/ui/useSentCode";

const EMAIL_MAX = 32;
const tidy = (value: string) => value.replace(/\s/g, "").slice(0, EMAIL_MAX);

const checkEmail = (value: string) => {
  if (!value) return m.emailRequired;
  return isEmail(value) || authMessages.emailWrong;
};

/** Binds an e-mail address for sign-in, verified by a code sent to it. */
export function EmailDialog({ current, onClose }: { current: string | null; onClose: () => void }) {
  const { register, handleSubmit, getValues, trigger, formState } = useForm({
    defaultValues: { email: "", code: "" },
  });
  const { errors } = formState;
  const [sendMail] = useSendMailCodeMutation();
  const [bind, { isLoading }] = useBindEmailMutation();
  const mail = useSentCode(async () => {
    if (!(await trigger("email", { shouldFocus: true }))) return undefined;
    const answer = await sendMail({ email: getValues("email") });
    if (answer.data) toast.success(m.mailSent);
    return answer.data;
  }, RESEND_SECONDS);

  const submit = handleSubmit(async ({ email, code }) => {
    const answer = await bind({ email, verifycode: code, mailKey: mail.key });
    if (answer.error) return;
    toast.success(m.saved);
    onClose();
  });
  const checkCode = (value: string) => {
    if (!mail.key) return authMessages.codeNotRequested;
    if (!value) return authMessages.codeRequired;
    return /^\d{1,6}$/.test(value) || authMessages.codeWrong;
  };

  return (
    <FormDialog
      title={current ? "更换邮箱" : "绑定邮箱"}
      note={`绑定后可以用邮箱和密码登录。${m.othersEnd}`}
      confirmText={current ? "确认修改" : "绑定"}
      busy={isLoading}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field
        label="邮箱"
        field={register("email", { validate: checkEmail })}
        clean={tidy}
        error={errors.email?.message}
        placeholder="例如 name@example.com"
        inputMode="email"
        autoComplete="email"
      />
      <Field
        label="验证码"
        field={register("code", { validate: checkCode })}
        clean={cleanCode}
        error={errors.code?.message}
        placeholder="邮件中的 6 位数字"
        inputMode="numeric"
        autoComplete="one-time-code"
        end={
          <SendCodeButton
            seconds={mail.seconds}
            busy={mail.busy}
            onSend={() => void mail.send()}
            words={authMessages}
          />
        }
      />
    </FormDialog>
  );
}
