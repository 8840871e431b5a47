import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import {
  type AuthUserLink,
  type AuthUserShowReply,
  useUserResetFactorMutation,
  useUserShowQuery,
  useUserUnlinkMutation,
} from "../../api/generated/auth";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { RowButton } from "../../kit/RowButton";
import { type ReasonAsk, ReasonDialog } from "../../kit/reason";
import { Loaded, Nothing } from "../../kit/states";
import { useMay } from "../../session/slice";
import { PROVIDERS } from "./words";

const AFTERWARDS = "之后该用户的登录会话会全部结束，本人会收到通知。";
const VERIFIED = ["本人更换手机，已视频核实身份", "本人申请，已核对认证信息", "账号被盗，已核实本人"];

/** The second factor, or one of the links. */
type Chosen = "factor" | AuthUserLink;

/** What a user signs in with besides the password; what they have lost is reset. */
export default function FactorsPanel({ loginId }: { loginId: string }) {
  const query = useUserShowQuery({ loginId });
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <Loaded query={query} what="登录方式">
      {(found) => (
        <>
          <SecondFactor found={found} onReset={() => setChosen("factor")} />
          <Links links={found.links} onUnlink={setChosen} />
          <ResetDialog loginId={loginId} chosen={chosen} onClose={() => setChosen(undefined)} />
        </>
      )}
    </Loaded>
  );
}

function SecondFactor({ found, onReset }: { found: AuthUserShowReply; onReset: () => void }) {
  const may = useMay();
  const { secondFactorAt, recoveryCodes } = found;
  const isOn = secondFactorAt > 0;
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1.5,
        px: 2,
        py: 1.25,
        borderBottom: 1,
        borderColor: "divider",
        fontSize: 13,
      }}
    >
      <Box sx={{ fontWeight: 500 }}>两步验证</Box>
      <StatusTag tone={isOn ? "success" : "neutral"}>{isOn ? "已开启" : "未开启"}</StatusTag>
      {isOn && (
        <Box sx={{ color: "text.secondary" }}>
          {`${minute(secondFactorAt)} 开启，恢复码还剩 ${recoveryCodes} 个`}
        </Box>
      )}
      {isOn && may("user.reset") && (
        <Button size="small" variant="outlined" color="error" onClick={onReset} sx={{ ml: "auto" }}>
          重置两步验证
        </Button>
      )}
    </Box>
  );
}

const titleOf = ({ provider, nickname }: AuthUserLink): string =>
  [wordOf(PROVIDERS, provider).text, nickname].filter(Boolean).join(" ");

function Links({
  links,
  onUnlink,
}: {
  links: readonly AuthUserLink[];
  onUnlink: (link: AuthUserLink) => void;
}) {
  const may = useMay();
  const columns: Column<AuthUserLink>[] = [
    { key: "provider", title: "第三方账号", render: ({ provider }) => wordOf(PROVIDERS, provider).text },
    { key: "nickname", title: "昵称", render: ({ nickname }) => shown(nickname) },
    { key: "linked", title: "绑定时间", render: ({ linkedAt }) => minute(linkedAt) },
    ...(may("user.reset")
      ? [
          {
            key: "unlink",
            title: "操作",
            render: (link: AuthUserLink) => (
              <RowButton
                text="解除"
                label={`解除绑定 ${titleOf(link)}`}
                danger
                onClick={() => onUnlink(link)}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <DataTable
      caption="绑定的第三方账号"
      columns={columns}
      rows={links}
      rowKey={({ id }) => id}
      empty={<Nothing title="没有绑定第三方账号" />}
    />
  );
}

function ResetDialog({
  loginId,
  chosen,
  onClose,
}: {
  loginId: string;
  chosen: Chosen | undefined;
  onClose: () => void;
}) {
  const [reset] = useUserResetFactorMutation();
  const [unlink] = useUserUnlinkMutation();
  function askOf(what: Chosen): ReasonAsk {
    if (what === "factor")
      return {
        title: "重置两步验证",
        note: `请先核实对方就是账号本人。重置后凭密码或短信验证码即可登录，原来的验证器和恢复码作废。${AFTERWARDS}`,
        confirmText: "重置",
        danger: true,
        templates: VERIFIED,
        onConfirm: async (reason) => {
          await reset({ loginId, reason }).unwrap();
          toast.success("两步验证已重置");
        },
      };
    return {
      title: `解除绑定 ${titleOf(what)}`,
      note: `请先核实对方就是账号本人。解除后不能再用它登录这个账号。${AFTERWARDS}`,
      confirmText: "解除绑定",
      danger: true,
      templates: VERIFIED,
      onConfirm: async (reason) => {
        await unlink({ loginId, id: what.id, reason }).unwrap();
        toast.success("绑定已解除");
      },
    };
  }
  return <ReasonDialog ask={chosen && askOf(chosen)} onClose={onClose} />;
}
