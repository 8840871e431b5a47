import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import {
  useReportsDismissMutation,
  useWorkDecideMutation,
  useWorkHideMutation,
  useWorkRecommendMutation,
  useWorkRestoreMutation,
  type WorksWorkItem,
} from "../../api/generated/works";
import { DecisionBar } from "../../kit/reason";
import { useMay } from "../../session/slice";
import { APPROVALS, DISMISSALS, HIDINGS, REFUSALS, RESTORATIONS } from "./words";

/** Actions on a work: review of its submission, and hiding it. */
export function Decisions({ item }: { item: WorksWorkItem }) {
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      <Recommend item={item} />
      <Review item={item} />
      <Keeping item={item} />
    </Box>
  );
}

function Review({ item }: { item: WorksWorkItem }) {
  const may = useMay();
  const [decide] = useWorkDecideMutation();
  const waiting = item.state === "review" || item.editState === "review";
  if (!waiting || !may("work.decide")) return null;
  const decided = async (decision: string, reason: string, done: string) => {
    await decide({ worksId: item.card.id, revision: item.revision, decision, reason }).unwrap();
    toast.success(done);
  };
  return (
    <DecisionBar
      label="审核"
      decisions={[
        {
          id: "refuse",
          text: "拒绝",
          title: "拒绝展示",
          danger: true,
          shortcut: "R",
          note: "原因会原样告诉作者，作者修改后可以再次提交。",
          templates: REFUSALS,
          onConfirm: (reason) => decided("refuse", reason, "已拒绝"),
        },
        {
          id: "approve",
          text: "通过",
          title: "通过审核",
          main: true,
          shortcut: "A",
          note: "通过后立即按作者设定的范围展示。原因只记入操作日志。",
          templates: APPROVALS,
          onConfirm: (reason) => decided("approve", reason, "已通过"),
        },
      ]}
    />
  );
}

function Keeping({ item }: { item: WorksWorkItem }) {
  const may = useMay();
  const [hide] = useWorkHideMutation();
  const [restore] = useWorkRestoreMutation();
  const [dismiss] = useReportsDismissMutation();
  const manage = may("work.manage");
  const worksId = item.card.id;
  return (
    <DecisionBar
      label="展示管理"
      decisions={[
        {
          id: "hide",
          text: "隐藏",
          title: "隐藏作品",
          danger: true,
          allowed: manage && item.state === "published",
          note: "除作者外立即没有人看得到。原因会告诉作者。",
          templates: HIDINGS,
          onConfirm: async (reason) => {
            await hide({ worksId, reason }).unwrap();
            toast.success("已隐藏");
          },
        },
        {
          id: "dismiss",
          text: "举报不成立",
          allowed: may("comment.manage") && item.reports > 0,
          note: "这些举报不再等待处理，作品不变。",
          templates: DISMISSALS,
          onConfirm: async (reason) => {
            await dismiss({ thingId: worksId, reason }).unwrap();
            toast.success("举报已处理");
          },
        },
        {
          id: "restore",
          text: "恢复展示",
          main: true,
          allowed: manage && item.state === "hidden",
          note: "立即重新展示。",
          templates: RESTORATIONS,
          onConfirm: async (reason) => {
            await restore({ worksId, reason }).unwrap();
            toast.success("已恢复展示");
          },
        },
      ]}
    />
  );
}

/** Only public works can be recommended. */
function Recommend({ item: { card, state, visibility, recommended } }: { item: WorksWorkItem }) {
  const may = useMay();
  const [recommend, { isLoading }] = useWorkRecommendMutation();
  const shown = state === "published" && visibility === "public";
  if (!may("work.manage") || (!shown && !recommended)) return null;
  const turn = async () => {
    try {
      await recommend({ worksId: card.id, recommended: !recommended }).unwrap();
      toast.success(recommended ? "已取消推荐" : "已推荐");
    } catch (error) {
      toast.error(messageOf(error) || "没有完成，请稍后重试");
    }
  };
  return (
    <Button size="small" variant="outlined" color="inherit" loading={isLoading} onClick={() => void turn()}>
      {recommended ? "取消推荐" : "推荐到首页"}
    </Button>
  );
}
