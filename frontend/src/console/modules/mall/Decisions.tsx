import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import {
  type TransactionListingItem,
  useListingClaimMutation,
  useListingDecideMutation,
  useListingRemoveMutation,
  useListingRestoreMutation,
  useListingTakeDownMutation,
} from "../../api/generated/transaction";
import { DecisionBar } from "../../kit/reason";
import { useMay, useOperator } from "../../session/slice";
import { APPROVALS, CHANGES, REFUSALS, TAKEDOWNS } from "./words";

/** Actions on a listing: review of its version, and taking it off the mall. */
export function Decisions({ item }: { item: TransactionListingItem }) {
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      <Review item={item} />
      <Keeping item={item} />
    </Box>
  );
}

function Review({ item }: { item: TransactionListingItem }) {
  const may = useMay();
  const { name } = useOperator();
  const [claim, { isLoading }] = useListingClaimMutation();
  const [decide] = useListingDecideMutation();
  if (item.reviewedVersion === 0 || !may("listing.decide")) return null;
  const { listingId } = item.listing;
  if (item.claimedBy && item.claimedBy !== name)
    return (
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>{`${item.claimedBy} 正在审核，暂时不能处理`}</Box>
    );
  const take = async () => {
    try {
      await claim({ listingId }).unwrap();
      toast.success("已领取，30 分钟内由您审核");
    } catch (error) {
      toast.error(messageOf(error) || "没有完成，请稍后重试");
    }
  };
  const decided = async (decision: string, reason: string, done: string) => {
    await decide({ listingId, version: item.reviewedVersion, decision, reason }).unwrap();
    toast.success(done);
  };
  return (
    <>
      {item.claimedBy !== name && (
        <Button size="small" variant="outlined" color="inherit" loading={isLoading} onClick={take}>
          领取
        </Button>
      )}
      <DecisionBar
        label="审核"
        decisions={[
          {
            id: "refuse",
            text: "拒绝",
            title: "拒绝上架",
            danger: true,
            shortcut: "R",
            note: "原因会原样告诉作者，并计入该作者的违规次数。",
            templates: REFUSALS,
            onConfirm: (reason) => decided("refuse", reason, "已拒绝"),
          },
          {
            id: "changes",
            text: "要求修改",
            shortcut: "C",
            note: "原因会原样告诉作者，作者修改后可以重新提交。",
            templates: CHANGES,
            onConfirm: (reason) => decided("changes", reason, "已要求作者修改"),
          },
          {
            id: "approve",
            text: "通过",
            title: "通过审核",
            main: true,
            shortcut: "A",
            note: "通过后商城立即展示这一版。原因只记入操作日志。",
            templates: APPROVALS,
            onConfirm: (reason) => decided("approve", reason, "已通过"),
          },
        ]}
      />
    </>
  );
}

function Keeping({ item }: { item: TransactionListingItem }) {
  const may = useMay();
  const [takeDown] = useListingTakeDownMutation();
  const [restore] = useListingRestoreMutation();
  const [remove] = useListingRemoveMutation();
  const { listingId } = item.listing;
  const manage = may("listing.manage");
  const down = item.state === "takendown";
  return (
    <DecisionBar
      label="上架管理"
      decisions={[
        {
          id: "takedown",
          text: "下架",
          title: "从商城下架",
          danger: true,
          allowed: manage && (item.state === "listed" || item.state === "withdrawn"),
          note: "商城立即不再展示，买家仍保留已购模型。原因会告诉作者，并计入该作者的违规次数。",
          templates: TAKEDOWNS,
          onConfirm: async (reason) => {
            await takeDown({ listingId, reason }).unwrap();
            toast.success("已下架");
          },
        },
        {
          id: "remove",
          text: "永久删除",
          danger: true,
          allowed: manage && down,
          note: "不能撤销。作者不能再上架这个模型，买家仍保留已购模型。",
          templates: ["侵权属实", "含有法律禁止的内容"],
          onConfirm: async (reason) => {
            await remove({ listingId, reason }).unwrap();
            toast.success("已永久删除");
          },
        },
        {
          id: "restore",
          text: "恢复上架",
          main: true,
          allowed: manage && down,
          note: "商城立即重新展示。",
          templates: ["投诉不成立", "作者已改正"],
          onConfirm: async (reason) => {
            await restore({ listingId, reason }).unwrap();
            toast.success("已恢复上架");
          },
        },
      ]}
    />
  );
}
