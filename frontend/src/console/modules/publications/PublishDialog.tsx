import Box from "@mui/material/Box";
import { useState } from "react";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import { Difference } from "../../kit/difference";
import { type Held, toldOf } from "./form";

/** Shows what will be published and what it replaces. */
export function PublishDialog({
  before,
  after,
  publish,
  onClose,
}: {
  /** The published version. */
  before?: Held;
  after: Held;
  /** Answers whether it is published; otherwise the page says what happened. */
  publish: () => Promise<boolean>;
  onClose: () => void;
}) {
  const [problem, setProblem] = useState("");
  async function confirm() {
    setProblem("");
    try {
      if (await publish()) toast.success("已发布");
      onClose();
    } catch (error) {
      setProblem(messageOf(error) || "没有发布成功，请稍后重试。");
    }
  }
  const later = after.startsAt > Date.now();
  return (
    <ConfirmDialog open title="发布内容" confirmText="确认发布" onConfirm={confirm} onClose={onClose}>
      <Box sx={{ display: "grid", gap: 2 }}>
        <Box sx={{ color: "text.secondary" }}>
          {later ? "到开始时间后，所有符合条件的用户都会看到。" : "发布后，所有符合条件的用户立即看到。"}
        </Box>
        <Difference before={before && toldOf(before)} after={toldOf(after)} />
        {problem && (
          <Box role="alert" sx={{ fontSize: 13, color: "error.main" }}>
            {problem}
          </Box>
        )}
      </Box>
    </ConfirmDialog>
  );
}
