import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import {
  type AuthCertificationItem,
  useCertificationClaimMutation,
  useCertificationDecideMutation,
} from "../../api/generated/auth";
import { DecisionBar } from "../../kit/reason";
import { useMay, useOperator } from "../../session/slice";
import { APPROVALS, holder, refusals } from "./words";

/** Claims or releases, approves or refuses a pending request. */
export function Decisions({ item }: { item: AuthCertificationItem }) {
  const may = useMay();
  const { name } = useOperator();
  const [claim, { isLoading }] = useCertificationClaimMutation();
  const [decide] = useCertificationDecideMutation();
  if (item.state !== "submitted" || !may("certification.decide")) return null;
  const held = holder(item);
  const mine = held === name;
  if (held && !mine)
    return <Box sx={{ fontSize: 13, color: "text.secondary" }}>{`${held} 正在审核，暂时不能处理`}</Box>;
  const take = async () => {
    try {
      await claim({ id: item.id, release: mine }).unwrap();
      toast.success(mine ? "已归还" : "已领取，15 分钟内由您审核");
    } catch (error) {
      toast.error(messageOf(error) || "没有完成，请稍后重试");
    }
  };
  const decided = async (approve: boolean, reason: string) => {
    await decide({ id: item.id, approve, reason }).unwrap();
    toast.success(approve ? "认证已通过" : "认证已驳回");
  };
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      <Button size="small" variant="outlined" color="inherit" loading={isLoading} onClick={take}>
        {mine ? "归还" : "领取"}
      </Button>
      <DecisionBar
        label="审核"
        decisions={[
          {
            id: "reject",
            text: "驳回",
            title: "驳回认证",
            danger: true,
            note: "原因会原样告诉用户，不超过 200 字。用户可以修改后重新提交。",
            templates: refusals(item.kind),
            onConfirm: (reason) => decided(false, reason),
          },
          {
            id: "approve",
            text: "通过",
            title: "通过认证",
            main: true,
            note: "通过后用户立即获得认证标识，此操作不能撤销。原因只记入操作日志。",
            templates: APPROVALS,
            onConfirm: (reason) => decided(true, reason),
          },
        ]}
      />
    </Box>
  );
}
