import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { FormEventHandler, ReactNode } from "react";
import { toast } from "@/ui/toast";

/** Confirms that the application was submitted. */
export const submitted = () => toast.success("提交成功，请等待审核");

/** Form of an application: fields and submit button. */
export function CertificationForm({
  label,
  busy,
  onSubmit,
  children,
}: {
  label: string;
  busy: boolean;
  onSubmit: FormEventHandler;
  children: ReactNode;
}) {
  return (
    <Box component="form" noValidate aria-label={label} onSubmit={onSubmit} sx={{ display: "grid", gap: 1 }}>
      {children}
      <Button
        type="submit"
        variant="contained"
        size="large"
        loading={busy}
        sx={{ justifySelf: { sm: "start" }, minWidth: 160 }}
      >
        提交审核
      </Button>
    </Box>
  );
}
