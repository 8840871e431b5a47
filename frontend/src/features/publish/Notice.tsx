import Alert from "@mui/material/Alert";
import type { TransactionMakerListing } from "@/calls/transaction";
import { isReleased } from "./words";

/** Explains the state to the maker, with the operator's reason. */
export function Notice({ listing }: { listing: TransactionMakerListing }) {
  const { state, versionState, decision, reason, records } = listing;
  const takendown = records.find(({ action }) => action === "takendown");
  const listed = state === "listed";
  const stays = listed ? "商城仍展示和销售现在的版本。" : "";
  if (state === "takendown")
    return <Alert severity="error">{`已被平台下架，不能修改。原因：${takendown?.reason || "未说明"}`}</Alert>;
  if (versionState === "rejected") {
    const asked = decision === "changes";
    return (
      <Alert severity={asked ? "warning" : "error"}>
        {`${asked ? "需要修改" : "未通过审核"}：${reason || "未说明原因"}。${stays}修改后可以重新提交。`}
      </Alert>
    );
  }
  if (versionState === "failed")
    return (
      <Alert severity="error">
        {`展示图没有制作成功：${reason || "请稍后重新提交"}${stays && `。${stays}`}`}
      </Alert>
    );
  if (versionState === "making")
    return <Alert severity="info">{`正在制作展示图，完成后自动进入审核。离开本页不影响。${stays}`}</Alert>;
  if (versionState === "submitted")
    return (
      <Alert severity="info">
        {isReleased(listing)
          ? `新版本审核中。${stays}价格和授权可以修改，立即生效；要改其他内容，请先撤回审核。`
          : "审核中，内容不能修改。如需修改，请先撤回。"}
      </Alert>
    );
  if (listed && versionState === "")
    return <Alert severity="warning">有修改还没有提交审核，商城仍展示原来的内容。</Alert>;
  return null;
}
