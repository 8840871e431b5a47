import Alert from "@mui/material/Alert";
import { useIsFreezeQuery, useModelerInfoQuery } from "@/calls/transaction";
import { useSession } from "@/session";

/** Tells a frozen maker that the mall does not show the models, and why. */
export function Frozen() {
  const { loginId } = useSession();
  const frozen = useIsFreezeQuery({ id: loginId }, { skip: !loginId }).data === true;
  const info = useModelerInfoQuery({ userId: loginId }, { skip: !loginId || !frozen });
  if (!frozen) return null;
  const reason = info.data?.frozenReason;
  return (
    <Alert severity="error" sx={{ mb: 2, overflowWrap: "anywhere" }}>
      {`账号已被冻结，商城暂不展示您的模型，也不能提交审核。${reason ? `原因：${reason}。` : ""}如有疑问，请联系客服。`}
    </Alert>
  );
}
