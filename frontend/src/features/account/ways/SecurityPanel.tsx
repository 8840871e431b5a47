import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useAccountSecurityQuery } from "@/calls/auth";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { SettingRow } from "../SettingRow";
import { EmailDialog } from "./EmailDialog";
import { PasswordDialog } from "./PasswordDialog";
import { PhoneDialog } from "./PhoneDialog";
import { SecondFactor } from "./SecondFactor";

type Open = "phone" | "email" | "password";

/** The account's sign-in methods and their protection. */
export function SecurityPanel() {
  const security = useAccountSecurityQuery({});
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { data } = security;
  if (!data) {
    return (
      <Panel title="登录与安全">
        {security.isError ? (
          <ReadFailed dense what="安全设置" onRetry={security.refetch} />
        ) : (
          <Box sx={{ p: 2.5, minHeight: 272 }}>
            <LinesSkeleton lines={6} />
          </Box>
        )}
      </Panel>
    );
  }
  const change = (what: Open, word: string, about: string) => (
    <Button size="small" variant="outlined" aria-label={`${word}${about}`} onClick={() => setOpen(what)}>
      {word}
    </Button>
  );
  return (
    <Panel title="登录与安全">
      <SettingRow
        title="手机号"
        value={<span className="tabular">{data.phone}</span>}
        note="用来登录、找回密码和接收验证码"
        action={change("phone", "更换", "手机号")}
      />
      {(data.email || data.mailAvailable) && (
        <SettingRow
          title="邮箱"
          value={data.email ?? "未绑定"}
          note={data.email ? "可以用邮箱和密码登录" : "绑定后可以用邮箱和密码登录"}
          action={data.mailAvailable && change("email", data.email ? "更换" : "绑定", "邮箱")}
        />
      )}
      <SettingRow
        title="登录密码"
        value={data.hasPassword ? "已设置" : "未设置"}
        note={data.hasPassword ? "6~16 位字符" : "设置后可以用密码登录"}
        action={change("password", data.hasPassword ? "修改" : "设置", "密码")}
      />
      <SecondFactor security={data} />
      {open === "phone" && <PhoneDialog current={data.phone} onClose={close} />}
      {open === "email" && <EmailDialog current={data.email} onClose={close} />}
      {open === "password" && <PasswordDialog hasPassword={data.hasPassword} onClose={close} />}
    </Panel>
  );
}
