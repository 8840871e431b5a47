import { useModifyPhoneMutation } from "@/calls/auth";
import { CaptchaPanel, usePhoneCode } from "@/features/auth";
import { accountMessages as m } from "@/messages/account";
import { FormDialog } from "@/ui/FormDialog";
import { toast } from "@/ui/toast";

/** Changes the phone number, verified by a code sent to it. */
export function PhoneDialog({ current, onClose }: { current: string; onClose: () => void }) {
  const { fields, captcha, sms, handleSubmit } = usePhoneCode();
  const [modify, { isLoading }] = useModifyPhoneMutation();

  const submit = handleSubmit(async ({ phone, code }) => {
    const answer = await modify({ phone, verifycode: code, smsKey: sms.keyFor(phone) });
    if (answer.error) return;
    toast.success(m.saved);
    onClose();
  });

  return (
    <FormDialog
      title="更换手机号"
      note={`当前 ${current}。更换后用新手机号登录和接收验证码，${m.othersEnd.replace("修改后，", "")}`}
      busy={isLoading}
      onSubmit={() => void submit()}
      onClose={onClose}
      over={captcha.open ? <CaptchaPanel captcha={captcha} /> : undefined}
    >
      {fields}
    </FormDialog>
  );
}
