import Box from "@mui/material/Box";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { type AuthCertification, useAuthEnterpriseMutation } from "@/calls/auth";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";
import { CertificationForm, submitted } from "./CertificationForm";
import { Consent } from "./Consent";
import { Line } from "./Line";
import { PhotoField, usePhoto } from "./PhotoField";
import { checks, photoMessages } from "./rules";

const EMPTY = { companyName: "", creditCode: "", legalPerson: "", contactPhone: "" };

const LINES = [
  { name: "companyName", label: "企业名称", placeholder: "与营业执照一致", autoComplete: "organization" },
  { name: "creditCode", label: "统一社会信用代码", placeholder: "18 位，见营业执照", autoComplete: "off" },
  { name: "legalPerson", label: "法定代表人姓名", placeholder: "与营业执照一致", autoComplete: "off" },
  {
    name: "contactPhone",
    label: "联系电话",
    placeholder: "手机号，或 010-62345678 这样的座机号",
    autoComplete: "tel",
  },
] as const;

/**
 * Data and photograph of the business licence, and a phone number of the enterprise. Starts with the name of the request before; its
 * numbers and persons are known only masked, and its photograph is gone.
 */
export function EnterpriseForm({ before, onDone }: { before?: AuthCertification; onDone: () => void }) {
  const { loginId } = useSession();
  const { register, handleSubmit, formState } = useForm({
    mode: "onTouched",
    defaultValues: { ...EMPTY, companyName: before?.name ?? "" },
  });
  const license = usePhoto();
  const [agreed, setAgreed] = useState(false);
  const [asked, setAsked] = useState(false);
  const [send, { isLoading }] = useAuthEnterpriseMutation();
  const [businessLicense] = license.addresses;

  const submit = handleSubmit(async (values) => {
    if (license.busy) return toast.warning(photoMessages.waiting);
    if (!businessLicense || !agreed) return;
    const sent = await send({
      userId: loginId,
      companyName: values.companyName.trim(),
      creditCode: values.creditCode.trim().toUpperCase(),
      legalPerson: values.legalPerson.trim(),
      contactPhone: values.contactPhone.trim(),
      businessLicense,
    });
    if (sent.error) return;
    submitted();
    onDone();
  });

  return (
    <CertificationForm
      label="企业认证"
      busy={isLoading}
      onSubmit={(event) => {
        setAsked(true);
        void submit(event);
      }}
    >
      <Box
        sx={{ display: "grid", columnGap: 3, rowGap: 1, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}
      >
        {LINES.map(({ name, ...line }) => (
          <Line
            key={name}
            {...line}
            field={register(name, { validate: (value) => checks[name](value) })}
            error={formState.errors[name]?.message}
          />
        ))}
      </Box>
      <Box sx={{ fontSize: 13, lineHeight: "20px", color: "text.secondary" }}>营业执照照片</Box>
      <Box sx={{ maxWidth: { sm: "50%" } }}>
        <PhotoField
          label="营业执照"
          face="license"
          photo={license}
          error={asked ? photoMessages.license : undefined}
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
