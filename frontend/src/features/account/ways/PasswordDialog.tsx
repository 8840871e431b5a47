import { useForm } from "react-hook-form";
import { useModifyUserPasswordMutation } from "@/calls/auth";
import { checkConfirmField, checkPassword, cleanPassword } from "@/features/auth";
import { accountMessages as m } from "@/messages/account";
import { PasswordField } from "@/ui/Field";
import { FormDialog } from "@/ui/FormDialog";
import { toast } from "@/ui/toast";

/** Changes the password, given the old one, or sets the first one after fresh proof. */
export function PasswordDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { old: "", password: "", confirm: "" },
  });
  const { errors } = formState;
  const [modify, { isLoading }] = useModifyUserPasswordMutation();

  const submit = handleSubmit(async ({ old, password }) => {
    const answer = await modify({ password, ...(hasPassword && { oldPassword: old }) });
    if (answer.error) return;
    toast.success(m.saved);
    onClose();
  });
  const checkNew = (value: string, { old }: { old: string }) => {
    const wrong = checkPassword(value);
    if (wrong) return wrong;
    return !hasPassword || value !== old || m.samePassword;
  };

  return (
    <FormDialog
      title={hasPassword ? "修改密码" : "设置密码"}
      note={m.othersEnd}
      confirmText={hasPassword ? "确认修改" : "设置"}
      busy={isLoading}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {hasPassword && (
        <PasswordField
          label="原密码"
          field={register("old", { validate: (value) => checkPassword(value) ?? true })}
          clean={cleanPassword}
          error={errors.old?.message}
          autoComplete="current-password"
        />
      )}
      <PasswordField
        label="新密码"
        field={register("password", { validate: checkNew })}
        clean={cleanPassword}
        error={errors.password?.message}
        placeholder="6~16 位字符"
        autoComplete="new-password"
      />
      <PasswordField
        label="确认密码"
        field={register("confirm", {
          validate: (value, all) => checkConfirmField(value, all.password) ?? true,
        })}
        clean={cleanPassword}
        error={errors.confirm?.message}
        placeholder="再次输入新密码"
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
