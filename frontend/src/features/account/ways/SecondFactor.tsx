import Button from "@mui/material/Button";
import { useState } from "react";
import {
  type AuthAccountSecurityReply,
  type AuthBeginSecondFactorReply,
  useBeginSecondFactorMutation,
  useRemoveSecondFactorMutation,
  useRenewRecoveryCodesMutation,
} from "@/calls/auth";
import { accountMessages as m } from "@/messages/account";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import { SettingRow } from "../SettingRow";
import { EnrolDialog } from "./EnrolDialog";
import { RecoveryCodes } from "./RecoveryCodes";

/** With fewer codes left, the user is advised to make new ones. */
const FEW_CODES = 3;

/** Second factor at sign-in: on, off, and recovery codes for a lost phone. */
export function SecondFactor({ security }: { security: AuthAccountSecurityReply }) {
  const [begun, setBegun] = useState<AuthBeginSecondFactorReply>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [asking, setAsking] = useState<"remove" | "renew">();
  const [begin, beginning] = useBeginSecondFactorMutation();
  const [remove] = useRemoveSecondFactorMutation();
  const [renew] = useRenewRecoveryCodesMutation();
  const { secondFactor, recoveryCodesLeft } = security;

  const start = async () => {
    const answer = await begin({});
    if (answer.data) setBegun(answer.data);
  };
  const takeAway = async () => {
    const answer = await remove({});
    setAsking(undefined);
    if (!answer.error) toast.success(m.factorOff);
  };
  const makeCodes = async () => {
    const answer = await renew({});
    setAsking(undefined);
    if (answer.data) setCodes(answer.data.codes);
  };

  return (
    <>
      <SettingRow
        title="两步验证"
        value={secondFactor ? <StatusTag tone="success">已开启</StatusTag> : <StatusTag>未开启</StatusTag>}
        note={
          secondFactor
            ? "登录时除密码或短信验证码外，还要输入验证器应用的动态验证码"
            : "登录时多一步动态验证码：密码泄露了，别人也登录不了"
        }
        action={
          secondFactor ? (
            <Button size="small" variant="outlined" onClick={() => setAsking("remove")}>
              关闭
            </Button>
          ) : (
            <Button
              size="small"
              variant="outlined"
              loading={beginning.isLoading}
              onClick={() => void start()}
            >
              开启
            </Button>
          )
        }
      />
      {secondFactor && (
        <SettingRow
          title="恢复码"
          value={
            recoveryCodesLeft < FEW_CODES ? (
              <StatusTag tone="warning">{`还剩 ${recoveryCodesLeft} 个`}</StatusTag>
            ) : (
              `还剩 ${recoveryCodesLeft} 个`
            )
          }
          note="手机不在身边时代替动态验证码，每个只能使用一次"
          action={
            <Button size="small" variant="outlined" onClick={() => setAsking("renew")}>
              重新生成
            </Button>
          }
        />
      )}
      {begun && (
        <EnrolDialog
          begun={begun}
          onClose={() => setBegun(undefined)}
          onDone={(made) => {
            setBegun(undefined);
            setCodes(made);
            toast.success(m.factorOn);
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      <ConfirmDialog
        open={asking === "remove"}
        title="关闭两步验证？"
        confirmText="关闭"
        danger
        onConfirm={takeAway}
        onClose={() => setAsking(undefined)}
      >
        关闭后登录只需要密码或短信验证码，现有的恢复码也会作废。
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "renew"}
        title="重新生成恢复码？"
        confirmText="重新生成"
        onConfirm={makeCodes}
        onClose={() => setAsking(undefined)}
      >
        之前的恢复码会全部作废。
      </ConfirmDialog>
    </>
  );
}
