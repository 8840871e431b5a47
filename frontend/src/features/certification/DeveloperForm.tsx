import Box from "@mui/material/Box";
import Radio from "@mui/material/Radio";
import { useForm } from "react-hook-form";
import { type AuthCertification, useAuthDeveloperMutation } from "@/calls/auth";
import { useSession } from "@/session";
import { CertificationForm, submitted } from "./CertificationForm";
import { Line } from "./Line";
import { checks, DIRECTIONS } from "./rules";

/** The user's field of development, with evidence; starts with what was stated before. */
export function DeveloperForm({ before }: { before?: AuthCertification }) {
  const { loginId } = useSession();
  const { register, handleSubmit, formState, watch } = useForm({
    mode: "onTouched",
    defaultValues: {
      direction: before?.direction || "model",
      introduce: before?.introduce ?? "",
      website: before?.website ?? "",
    },
  });
  const [send, { isLoading }] = useAuthDeveloperMutation();
  const chosen = watch("direction");

  const submit = handleSubmit(async (values) => {
    const sent = await send({
      userId: loginId,
      direction: values.direction,
      introduce: values.introduce.trim(),
      website: values.website.trim(),
    });
    if (!sent.error) submitted();
  });

  return (
    <CertificationForm label="开发者认证" busy={isLoading} onSubmit={submit}>
      <Box component="fieldset" sx={{ m: 0, mb: 1, p: 0, border: 0 }}>
        <Box
          component="legend"
          sx={{ mb: 0.75, p: 0, fontSize: 13, lineHeight: "20px", color: "text.secondary" }}
        >
          开发方向
        </Box>
        <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: { xs: "1fr", sm: "repeat(3, 1fr)" } }}>
          {DIRECTIONS.map(({ value, title, note }) => (
            <Box
              key={value}
              component="label"
              sx={(theme) => ({
                display: "flex",
                alignItems: "flex-start",
                gap: 1,
                p: 1.5,
                borderRadius: 2,
                border: 1,
                borderColor: chosen === value ? "primary.main" : "divider",
                bgcolor: chosen === value ? theme.tokens.primarySoft : "transparent",
                cursor: "pointer",
              })}
            >
              <Radio
                size="small"
                value={value}
                checked={chosen === value}
                sx={{ p: 0, mt: "2px" }}
                {...register("direction")}
              />
              <span>
                <Box component="span" sx={{ display: "block", fontWeight: 500 }}>
                  {title}
                </Box>
                <Box component="span" sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>
                  {note}
                </Box>
              </span>
            </Box>
          ))}
        </Box>
      </Box>
      <Line
        label="开发经验"
        rows={4}
        field={register("introduce", { validate: (value) => checks.introduce(value) })}
        error={formState.errors.introduce?.message}
        hint="做过什么、用什么工具，10~500 个字"
      />
      <Line
        label="作品地址（选填）"
        field={register("website", { validate: (value) => checks.website(value) })}
        error={formState.errors.website?.message}
        placeholder="https://"
        inputMode="url"
      />
    </CertificationForm>
  );
}
