import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useState } from "react";
import { StatusTag } from "@/ui/StatusTag";
import { minute } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { useOperator } from "../../session/slice";
import { OWN } from "../areas";
import { FEW_CODES } from "../codes";
import { AppDialog } from "./AppDialog";
import { CodesDialog } from "./CodesDialog";
import { PasswordDialog } from "./PasswordDialog";
import { Sessions } from "./Sessions";

type Act = "password" | "app" | "codes";
const DIALOGS = { password: PasswordDialog, app: AppDialog, codes: CodesDialog } as const;

/** The operator's own account: who they are, what they sign in with, where they are signed in. */
export default function OwnPage() {
  const operator = useOperator();
  const [act, setAct] = useState<Act>();
  const Dialog = act && DIALOGS[act];
  return (
    <>
      <PageTitle title={OWN.title} note="角色由管理员调整；密码、验证器和恢复码由本人管理" />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        <Card title="账号">
          <Facts
            facts={[
              ["登录名", operator.name],
              ["角色", operator.roles.join("、") || "没有角色"],
              ["本次登录", `到 ${minute(operator.expiresAt)} 为止`],
            ]}
          />
        </Card>
        <Card title="登录方式" flush>
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
            <Factor name="密码" button="修改密码" onClick={() => setAct("password")}>
              12 到 64 个字符，不易猜到
            </Factor>
            <Factor name="验证器" button="更换验证器" onClick={() => setAct("app")}>
              每次登录和敏感操作都要用它显示的动态口令
            </Factor>
            <Factor
              name="恢复码"
              button="更换恢复码"
              main={operator.recoveryCodes <= FEW_CODES}
              onClick={() => setAct("codes")}
            >
              <CodesLeft count={operator.recoveryCodes} />
            </Factor>
          </Box>
        </Card>
        <Sessions />
      </Box>
      {Dialog && <Dialog onClose={() => setAct(undefined)} />}
    </>
  );
}

function CodesLeft({ count }: { count: number }) {
  if (count > FEW_CODES) return <>{`手机不在身边时使用，还剩 ${count} 个`}</>;
  return (
    <Box component="span" sx={{ display: "inline-flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
      <StatusTag tone="warning">{count > 0 ? `只剩 ${count} 个` : "已用完"}</StatusTag>
      手机丢失又没有恢复码时，只能请管理员重置
    </Box>
  );
}

/** Something that the operator signs in with, and how to change it. */
function Factor({
  name,
  button,
  main = false,
  onClick,
  children,
}: {
  name: string;
  button: string;
  /** It should be changed now. */
  main?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 2,
        px: 2,
        py: 1.25,
        "& + &": { borderTop: 1, borderColor: "divider" },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 500 }}>{name}</Box>
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>{children}</Box>
      </Box>
      <Button
        size="small"
        variant={main ? "contained" : "outlined"}
        onClick={onClick}
        sx={{ flex: "none", minWidth: 96 }}
      >
        {button}
      </Button>
    </Box>
  );
}
