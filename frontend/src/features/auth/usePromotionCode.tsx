import { useState } from "react";
import { useForm } from "react-hook-form";
import { useSaveInvitedCodeMutation } from "@/calls/auth";
import { deviceKey } from "@/session/token";
import { useAppSelector } from "@/store/hooks";
import { Field } from "@/ui/Field";
import { forgetCode, rememberedCode } from "./invitedCode";
import { checkPromotion, cleanPromotion } from "./rules";

/** The field of a friend's promotion code, filled with the one of the invitation link; `onTaken` runs after the server took it. */
export function usePromotionCode(onTaken: () => void | Promise<void>) {
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
      if (answer.error) return;
      forgetCode();
      await onTaken();
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
