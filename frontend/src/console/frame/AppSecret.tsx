import Box from "@mui/material/Box";
import type { Ref } from "react";
import { monoFamily } from "@/theme";
import { CopyText } from "@/ui/CopyText";
import { QrCode } from "@/ui/QrCode";
import { CodeInput } from "./CodeInput";

/** The secret for an authenticator app: as a QR code, and for typing it in. */
export function AppSecret({ uri, secret }: { uri: string; secret: string }) {
  return (
    <>
      <Box sx={{ textAlign: "center" }}>
        <QrCode value={uri} label="验证器" size={176} />
      </Box>
      <Box sx={{ mt: 1, mb: 3, fontSize: 13, overflowWrap: "anywhere" }}>
        <Box sx={{ color: "text.secondary" }}>无法扫描时，手动输入密钥：</Box>
        <Box sx={{ fontFamily: monoFamily }}>
          <CopyText text={secret} label="密钥" />
        </Box>
      </Box>
    </>
  );
}

/** The first code of the app, which proves that it has the secret. */
export function AppCodeInput(rest: {
  value: string;
  problem?: string;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (value: string) => void;
}) {
  return <CodeInput {...rest} label="验证器显示的 6 位动态口令" autoFocus />;
}

export const appCodeProblem = (code: string): string | undefined =>
  code.length === 6 ? undefined : "请输入 6 位动态口令";
