import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import { useRef, useState } from "react";
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
import { useShortcuts } from "../../kit/useShortcuts";
import { useMay, useOperator } from "../../session/slice";
import { useNext } from "./useNext";
import { APPROVALS, CHANGES, REFUSALS, TAKEDOWNS } from "./words";

/** Actions on a listing: review of its version, and taking it off the mall. */
export function Decisions({ item }: { item: TransactionListingItem }) {
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
      <Review item={item} />
      <Keeping item={item} />
    </Box>
  );
}

/** Takes a listing for oneself, or gives it back to the queue. */
function Claim({ item, mine }: { item: TransactionListingItem; mine: boolean }) {
  const [claim, { isLoading }] = useListingClaimMutation();
  const take = async () => {
    try {
      await claim({ listingId: item.listing.listingId, release: mine }).unwrap();
      toast.success(mine ? "已放弃领取" : "已领取，30 分钟内由您审核");
    } catch (error) {
      toast.error(messageOf(error) || "没有完成，请稍后重试");
    }
  };
  return (
    <Button size="small" variant="outlined" color="inherit" loading={isLoading} onClick={take}>
      {mine ? "放弃领取" : "领取"}
    </Button>
  );
}

function Review({ item }: { item: TransactionListingItem }) {
  const may = useMay();
  const me = useOperator().name;
  const next = useNext();
  const [decide] = useListingDecideMutation();
  // A refused decision reloads the listing: what is decided stays the version that the operator has looked at.
  const looked = useRef(0);
  const goOn = () => void next(item);
  useShortcuts({ KeyN: goOn });
  if (!may("listing.decide")) return null;
  const { listingId } = item.listing;
  const waits = item.reviewedVersion > 0;
  const mine = item.claimedBy === me;
  const others = waits && item.claimedBy !== "" && !mine;
  const allowed = waits && !others;
  const decided = async (decision: string, reason: string, done: string) => {
    await decide({ listingId, version: looked.current, decision, reason }).unwrap();
    toast.success(done);
  };
  return (
    <>
      {waits && item.claimedBy && (
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>
          {mine ? "已领取，由您审核" : `${item.claimedBy} 正在审核，暂时不能处理`}
        </Box>
      )}
      {allowed && <Claim item={item} mine={mine} />}
      <DecisionBar
        label="审核"
        onOpen={() => {
          looked.current = item.reviewedVersion;
        }}
        decisions={[
          {
            id: "refuse",
            allowed,
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
            allowed,
            text: "要求修改",
            shortcut: "C",
            note: "原因会原样告诉作者，作者修改后可以重新提交。",
            templates: CHANGES,
            onConfirm: (reason) => decided("changes", reason, "已要求作者修改"),
          },
          {
            id: "approve",
            allowed,
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
      <Button
        size="small"
        variant={waits ? "text" : "contained"}
        color={waits ? "inherit" : "primary"}
        aria-keyshortcuts="Alt+N"
        title="Alt+N"
        onClick={goOn}
      >
        下一个待审
      </Button>
    </>
  );
}

function Keeping({ item }: { item: TransactionListingItem }) {
  const may = useMay();
  const [takeDown] = useListingTakeDownMutation();
  const [restore] = useListingRestoreMutation();
  const [unfounded, setUnfounded] = useState(false);
  const [remove] = useListingRemoveMutation();
  const { listingId } = item.listing;
  const manage = may("listing.manage");
  const down = item.state === "takendown";
  return (
    <DecisionBar
      label="上架管理"
      onOpen={() => setUnfounded(false)}
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
          fields: (
            <FormControlLabel
              control={<Checkbox checked={unfounded} onChange={(_event, on) => setUnfounded(on)} />}
              label="下架没有依据，不计入违规次数"
            />
          ),
          templates: ["投诉不成立", "作者已改正"],
          onConfirm: async (reason) => {
            await restore({ listingId, reason, unfounded }).unwrap();
            toast.success("已恢复上架");
          },
        },
      ]}
    />
  );
}
