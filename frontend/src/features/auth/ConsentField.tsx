import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import Link from "@mui/material/Link";
import type { UseFormRegisterReturn } from "react-hook-form";
import { authMessages } from "@/messages/auth";

export const consentRule = { validate: (given: boolean) => given || authMessages.agreementRequired };

/** The consent without which no account is made. */
export function ConsentField({ field, error }: { field: UseFormRegisterReturn; error?: string }) {
  return (
    <>
      <Box component="label" sx={{ display: "flex", alignItems: "flex-start", gap: 1, mt: 2, fontSize: 13 }}>
        <Checkbox size="small" sx={{ p: 0, mt: "1px" }} {...field} />
        <span>
          我已阅读并同意
          <Link href="/agreement" target="_blank" rel="noopener">
            《会员服务协议》
          </Link>
          与
          <Link href="/secrecy" target="_blank" rel="noopener">
            《平台保密协议》
          </Link>
        </span>
      </Box>
      <Box
        role={error ? "alert" : undefined}
        sx={{ minHeight: 28, pt: 0.375, fontSize: 12, lineHeight: "18px", color: "error.main" }}
      >
        {error}
      </Box>
    </>
  );
}
