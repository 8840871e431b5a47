import Alert from "@mui/material/Alert";
import type { AuthCertification } from "@/calls/auth";
import { STATUS } from "./state";

/** Why an application was refused; nothing for any other. */
export function Refusal({
  of,
  above = false,
}: {
  of?: AuthCertification /** Above a form. */;
  above?: boolean;
}) {
  if (of?.checkStatus !== STATUS.refused) return null;
  return (
    <Alert severity="error" sx={{ overflowWrap: "anywhere", mb: above ? 2.5 : 0 }}>
      未通过原因：{of.cause || "资料未通过审核"}
    </Alert>
  );
}
