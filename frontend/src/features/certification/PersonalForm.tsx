import Box from "@mui/material/Box";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAuthPersonalMutation } from "@/calls/auth";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";
import { CertificationForm, submitted } from "./CertificationForm";
import { Consent } from "./Consent";
import { Line } from "./Line";
import { PhotoField, usePhoto } from "./PhotoField";
import { checks, photoMessages } from "./rules";

interface Values {
  realName: string;
  idCard: string;
}

/** Name, number and both sides of the identity card. */
export function PersonalForm({ onDone }: { onDone: () => void }) {
  const { loginId } = useSession();
  const { register, handleSubmit, formState } = useForm<Values>({
    mode: "onTouched",
    defaultValues: { realName: "", idCard: "" },
  });
  const front = usePhoto();
  const back = usePhoto();
  const [agreed, setAgreed] = useState(false);
  const [asked, setAsked] = useState(false);
  const [send, { isLoading }] = useAuthPersonalMutation();
  const [idCardFront, idCardBack] = [front.addresses[0], back.addresses[0]];

  const submit = handleSubmit(async (values) => {
    if (front.busy || back.busy) return toast.warning(photoMessages.waiting);
    if (!idCardFront || !idCardBack || !agreed) return;
    const sent = await send({
      userId: loginId,
      realName: values.realName.trim(),
      idCard: values.idCard.trim().toUpperCase(),
      idCardFront,
      idCardBack,
    });
    if (sent.error) return;
    submitted();
    onDone();
  });

  return (
    <CertificationForm
      label="个人认证"
      busy={isLoading}
      onSubmit={(event) => {
        setAsked(true);
        void submit(event);
      }}
    >
      <Line
        label="真实姓名"
        field={register("realName", { validate: (value) => checks.realName(value) })}
        error={formState.errors.realName?.message}
        placeholder="与身份证一致"
        autoComplete="name"
      />
      <Line
        label="身份证号"
        field={register("idCard", { validate: (value) => checks.idCard(value) })}
        error={formState.errors.idCard?.message}
        placeholder="18 位居民身份证号码"
        autoComplete="off"
      />
      <Box sx={{ fontSize: 13, lineHeight: "20px", color: "text.secondary" }}>身份证照片</Box>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        <PhotoField
          label="身份证人像面"
          face="front"
          photo={front}
          error={asked ? photoMessages.front : undefined}
        />
        <PhotoField
          label="身份证国徽面"
          face="back"
          photo={back}
          error={asked ? photoMessages.back : undefined}
        />
      </Box>
      <Consent
        value={agreed}
        onChange={setAgreed}
        error={asked && !agreed ? photoMessages.consent : undefined}
      />
    </CertificationForm>
  );
}
