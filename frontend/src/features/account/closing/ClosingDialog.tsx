import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import { useState } from "react";
import { type AuthClosure, useClosureStateQuery, useStartClosureMutation } from "@/calls/auth";
import { accountMessages as m } from "@/messages/account";
import { FormDialog } from "@/ui/FormDialog";
import { formatCents } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { TextButton } from "@/ui/TextButton";
import { toast } from "@/ui/toast";
import { timeText } from "../sessions/words";
import { TAKE_ALONG } from "../takeAlong/TakeAlongPanel";

/** What this user would lose, in sentences. */
function lossesOf({ losses }: AuthClosure): string[] {
  if (!losses) return [];
  return [
    Number(losses.cloudCoin) > 0 && `余下的 ${formatCents(Number(losses.cloudCoin))} 云币作废，不能退回`,
    Number(losses.incomeBalance) > 0 &&
      `收益余额 ${formatCents(Number(losses.incomeBalance))} 元作废，请先使用`,
    losses.unPayOrders > 0 && `${losses.unPayOrders} 个待支付订单会被取消`,
    losses.coupons > 0 && `${losses.coupons} 张优惠券作废`,
    losses.certificationUnderReview && "审核中的认证会被撤回",
  ].filter((sentence) => sentence !== false);
}

/** Lists what is lost, takes the consent and requests the closure. */
export function ClosingDialog({ onClose }: { onClose: () => void }) {
  const closure = useClosureStateQuery({ withLosses: true }, { refetchOnMountOrArgChange: true });
  const [start, { isLoading }] = useStartClosureMutation();
  const [agreed, setAgreed] = useState(false);
  const [missing, setMissing] = useState(false);

  const submit = async () => {
    if (!agreed) return setMissing(true);
    const answer = await start({ acknowledged: true });
    if (answer.error) return;
    toast.success(m.closingAsked(timeText(answer.data.dueAt)));
    onClose();
  };

  const takeAlong = () => {
    onClose();
    document.getElementById(TAKE_ALONG)?.scrollIntoView({ block: "center" });
  };

  const known = closure.data && !closure.isFetching ? closure.data : undefined;
  return (
    <FormDialog
      title="注销账号"
      note="到期前可以照常登录并撤销；到期后以下内容无法恢复。"
      confirmText="申请注销"
      danger
      busy={isLoading}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {closure.isError && <ReadFailed dense what="注销说明" onRetry={closure.refetch} />}
      {!known && !closure.isError && <LinesSkeleton lines={4} />}
      {known && (
        <>
          <Box component="ul" aria-label="注销后果" sx={{ m: 0, pl: 2.5, lineHeight: "24px" }}>
            {lossesOf(known).map((sentence) => (
              <Box component="li" key={sentence} sx={{ fontWeight: 500 }}>
                {sentence}
              </Box>
            ))}
            <li>资料、头像、上传的文件与处理结果全部删除</li>
            <li>会员、套餐与积分随账号结束</li>
            <li>消息、关注、反馈与登录方式全部删除</li>
            <li>订单与支付记录按法律规定隐去身份后保存</li>
          </Box>
          {!known.losses && (
            <Box sx={{ mt: 1, color: "text.secondary" }}>
              暂时无法查询余额与订单，注销后其中的云币、收益与优惠券作废。
            </Box>
          )}
          <Box sx={{ mt: 1.5, display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1 }}>
            需要留存的内容请先下载。
            <TextButton onClick={takeAlong}>先取走我的数据</TextButton>
          </Box>
          <FormControlLabel
            sx={{ mt: 0.5 }}
            control={
              <Checkbox
                checked={agreed}
                onChange={(_event, checked) => {
                  setAgreed(checked);
                  setMissing(false);
                }}
              />
            }
            label="我已阅读并同意以上后果"
          />
          {missing && <FormHelperText error>{m.closingConsent}</FormHelperText>}
        </>
      )}
    </FormDialog>
  );
}
