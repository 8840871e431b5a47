import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useSaveInvitedCodeMutation } from "@/calls/auth";
import { useGetPopupSettingsMutation } from "@/calls/personal";
import { popupTriggered } from "@/session/dialog";
import { deviceKey } from "@/session/token";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { Field } from "@/ui/Field";
import { checkPromotion, cleanPromotion } from "../rules";

interface Props {
  /** The settings request the popup: status '1'. */
  onPopup: () => void;
  /** Status '0', or no settings available: the home page. */
  onHome: () => void;
}

/** The promotion code after a registration: one field, Confirm and Skip. */
export function PromotionForm({ onPopup, onHome }: Props) {
  const dispatch = useAppDispatch();
  const uid = useAppSelector((state) => state.session.loginId);
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code: "" } });
  const [save] = useSaveInvitedCodeMutation();
  const [settings] = useGetPopupSettingsMutation();
  const [busy, setBusy] = useState(false);

  const goOn = async () => {
    const answer = await settings({});
    if (answer.data?.status === "1") {
      dispatch(popupTriggered());
      onPopup();
    } else {
      onHome();
    }
  };
  const run = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    await work();
    setBusy(false);
  };
  const confirm = handleSubmit(({ code }) =>
    run(async () => {
      const answer = await save({ uid, invitedcode: code.trim(), device: deviceKey() });
      if (!answer.error) await goOn();
    }),
  );

  return (
    <form onSubmit={(event) => void confirm(event)} noValidate>
      <Field
        label="推广码"
        field={register("code", { validate: (value) => checkPromotion(value) ?? true })}
        clean={cleanPromotion}
        error={formState.errors.code?.message}
        placeholder="最多 11 个字符"
        autoComplete="off"
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 1.5, mt: 1 }}>
        <Button type="button" variant="outlined" size="large" disabled={busy} onClick={() => void run(goOn)}>
          跳过
        </Button>
        <Button type="submit" variant="contained" size="large" disabled={busy}>
          确认
        </Button>
      </Box>
    </form>
  );
}
