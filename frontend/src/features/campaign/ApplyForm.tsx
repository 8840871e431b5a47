import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { codeOf, messageOf } from "@/api";
import { useIsSubmittedQuery, useSaveApplicationRecordMutation } from "@/calls/personal";
import { EmptyState } from "@/ui/EmptyState";
import { Field } from "@/ui/Field";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { applicant, keepApplicant, newApplicant } from "./applicant";

/** An earlier application is still open. */
const CONFLICT = 60105;
const PHONE = /^1[3-9]\d{9}$/;

const lengthRule = (what: string, most: number) => (text: string) => {
  const long = [...text.trim()].length;
  if (long === 0) return `请填写${what}`;
  return long <= most || `${what}最多 ${most} 个字符`;
};
const digits = (text: string): string => text.replace(/\D/g, "").slice(0, 11);

/** Requests a call about asset management; says so if an application is already open. */
export function ApplyForm() {
  const [known, setKnown] = useState(applicant);
  const { data, isError, refetch } = useIsSubmittedQuery({ visitorId: known }, { skip: !known });
  if (known && isError) return <ReadFailed dense what="申请" onRetry={() => void refetch()} />;
  if (known && data === undefined) return <LinesSkeleton lines={4} />;
  if (known && data)
    return (
      <Box sx={{ border: 1, borderColor: "divider", borderRadius: 2 }} role="status">
        <EmptyState
          kind="results"
          title="申请已提交"
          hint="我们会在工作时间按您留下的手机号联系您，不需要再次提交。"
        />
      </Box>
    );
  return (
    <Form
      visitorId={known || newApplicant()}
      onSent={(id) => {
        keepApplicant(id);
        setKnown(id);
        if (id === known) void refetch();
      }}
    />
  );
}

function Form({ visitorId, onSent }: { visitorId: string; onSent: (visitorId: string) => void }) {
  const [id] = useState(visitorId);
  const { register, handleSubmit, formState } = useForm({
    mode: "onTouched",
    defaultValues: { companyName: "", contactName: "", contactPhone: "", demand: "" },
  });
  const [send, { isLoading, error }] = useSaveApplicationRecordMutation();
  const { errors } = formState;

  const submit = handleSubmit(async (values) => {
    const sent = await send({
      companyName: values.companyName.trim(),
      contactName: values.contactName.trim(),
      contactPhone: values.contactPhone,
      demand: values.demand.trim(),
      visitorId: id,
    });
    if (!sent.error) onSent(id);
  });

  return (
    <Box
      component="form"
      noValidate
      aria-label="申请资产管理"
      onSubmit={submit}
      sx={{
        p: { xs: 2, sm: 3 },
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        display: "grid",
        gap: 0.5,
      }}
    >
      <Box sx={{ display: "grid", columnGap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        <Box sx={{ gridColumn: "1 / -1" }}>
          <Field
            label="企业名称"
            autoComplete="organization"
            field={register("companyName", { validate: lengthRule("企业名称", 60) })}
            error={errors.companyName?.message}
          />
        </Box>
        <Field
          label="联系人"
          autoComplete="name"
          field={register("contactName", { validate: lengthRule("联系人", 30) })}
          error={errors.contactName?.message}
        />
        <Field
          label="手机号"
          inputMode="tel"
          autoComplete="tel-national"
          clean={digits}
          field={register("contactPhone", {
            validate: (text) =>
              (text === "" && "请填写手机号") || PHONE.test(text) || "手机号格式不正确，请填写 11 位手机号",
          })}
          error={errors.contactPhone?.message}
        />
      </Box>
      <Field
        label="需求说明"
        rows={4}
        placeholder="有多少模型，散在哪里，想先解决什么"
        field={register("demand", { validate: lengthRule("需求说明", 500) })}
        error={errors.demand?.message}
      />
      {error && codeOf(error) === CONFLICT && (
        <Alert severity="info" sx={{ mb: 1 }}>
          {messageOf(error)}
        </Alert>
      )}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
        <Button type="submit" variant="contained" size="large" loading={isLoading} sx={{ minWidth: 160 }}>
          提交申请
        </Button>
        <Box sx={{ flex: 1, minWidth: 220, fontSize: 12, color: "text.secondary" }}>
          这些信息只用来与您联系这件事；办结 180 天后删除，也可以随时要求删除。
        </Box>
      </Box>
    </Box>
  );
}
