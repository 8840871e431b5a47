import { useState } from "react";
import { useForm } from "react-hook-form";
import { codeOf, messageOf } from "@/api";
import { useSaveInvitedCodeMutation } from "@/calls/auth";
import { deviceKey } from "@/session/token";
import { useAppSelector } from "@/store/hooks";
import { Field } from "@/ui/Field";
import { forgetCode, rememberedCode } from "./invitedCode";
import { checkPromotion, cleanPromotion } from "./rules";

/** The code cannot be entered by this user: own, of somebody they brought, too late; unknown; or another was entered before. */
const FINAL: readonly number[] = [60100, 60104, 60105];

/**
 * The field of a friend's promotion code, filled with the one of the invitation link. `onTaken` runs after the server took it,
 * `onRefused` with the reason after it refused it for good.
 */
export function usePromotionCode(
  onTaken: () => void | Promise<void>,
  onRefused?: (message: string) => void | Promise<void>,
) {
  const uid = useAppSelector((state) => state.session.loginId);
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code: rememberedCode() } });
  const [save] = useSaveInvitedCodeMutation();
  const [busy, setBusy] = useState(false);

  const run = async (work: () => void | Promise<void>) => {
    if (busy) return;
    setBusy(true);
    await work();
    setBusy(false);
  };
  const confirm = handleSubmit(({ code }) =>
    run(async () => {
      const answer = await save({ uid, invitedcode: code.trim(), device: deviceKey() });
      const refused = FINAL.includes(codeOf(answer.error));
      if (!answer.error || refused) forgetCode(code.trim());
      if (!answer.error) await onTaken();
      else if (refused) await onRefused?.(messageOf(answer.error));
    }),
  );
  const field = (
    <Field
      label="推广码"
      field={register("code", { validate: (value) => checkPromotion(value) ?? true })}
      clean={cleanPromotion}
      error={formState.errors.code?.message}
      placeholder="最多 11 个字符"
      autoComplete="off"
    />
  );
  return { field, confirm, run, busy };
}
