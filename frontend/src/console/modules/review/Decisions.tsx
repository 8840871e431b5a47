import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import { useState } from "react";
import { toast } from "@/ui/toast";
import { type PersonalReviewItem, useReviewDecideMutation } from "../../api/generated/personal";
import { DecisionBar } from "../../kit/reason";

/** Accepts or refuses a case; similar pictures can be refused from now on. */
export function Decisions({ item: { id, kind }, onDone }: { item: PersonalReviewItem; onDone: () => void }) {
  const [decide] = useReviewDecideMutation();
  const [ban, setBan] = useState(false);
  const picture = kind === "picture";
  async function end(accept: boolean, reason: string) {
    await decide({ id, accept, ban: !accept && picture && ban, reason }).unwrap();
    toast.success(accept ? "已通过" : "已驳回");
    onDone();
  }
  return (
    <DecisionBar
      decisions={[
        {
          id: "accept",
          text: "通过",
          title: "通过审核",
          main: true,
          shortcut: "A",
          templates: ["内容正常", "词语误判"],
          onConfirm: (reason) => end(true, reason),
        },
        {
          id: "refuse",
          text: "驳回",
          title: "驳回内容",
          danger: true,
          shortcut: "R",
          note: picture
            ? "该用户不能再使用这张图片，驳回原因会告知用户。"
            : "仍在展示的文本会被撤下，驳回原因会告知用户。",
          templates: ["含违法违规内容", "含联系方式或二维码", "含广告", "冒充他人或官方", "低俗内容"],
          fields: picture && (
            <FormControlLabel
              control={<Checkbox checked={ban} onChange={(_event, checked) => setBan(checked)} />}
              label="以后拒绝所有人上传与它相似的图片"
            />
          ),
          onConfirm: (reason) => end(false, reason),
        },
      ]}
    />
  );
}
