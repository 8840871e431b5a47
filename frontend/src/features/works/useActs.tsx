import { type ReactNode, useState } from "react";
import {
  useDeleteWorkMutation,
  useRelistWorkMutation,
  useSubmitWorkMutation,
  useWithdrawWorkMutation,
  type WorksMyWork,
} from "@/calls/works";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toast } from "@/ui/toast";

export type Act = "submit" | "withdraw" | "relist" | "delete";

const DONE: Readonly<Record<Act, string>> = {
  submit: "已提交审核",
  withdraw: "已撤下",
  relist: "已重新展示",
  delete: "作品已删除",
};

interface Asked {
  act: "withdraw" | "delete";
  work: WorksMyWork;
}

/** The author's actions on a whole work; those that hide it from users are confirmed first. */
export function useActs(onDone?: (act: Act) => void) {
  const { loginId } = useSession();
  const [submit, submitting] = useSubmitWorkMutation();
  const [withdraw] = useWithdrawWorkMutation();
  const [relist, relisting] = useRelistWorkMutation();
  const [remove] = useDeleteWorkMutation();
  const [asked, setAsked] = useState<Asked>();

  async function act(what: Act, work: WorksMyWork): Promise<void> {
    const request = { userId: loginId, worksId: work.card.id };
    try {
      if (what === "submit") await submit(request).unwrap();
      else if (what === "withdraw") await withdraw(request).unwrap();
      else if (what === "relist") await relist(request).unwrap();
      else await remove(request).unwrap();
    } catch {
      // already reported by the shared wrapper
      return;
    }
    const taken = what === "withdraw" && (work.state === "review" || work.editState === "review");
    toast.success(taken ? "已撤回审核" : DONE[what]);
    setAsked(undefined);
    onDone?.(what);
  }

  const dialog: ReactNode = asked && (
    <ConfirmDialog
      open
      danger={asked.act === "delete"}
      title={asked.act === "delete" ? `删除“${asked.work.card.name}”` : `撤下“${asked.work.card.name}”`}
      confirmText={asked.act === "delete" ? "删除" : "撤下"}
      onConfirm={() => act(asked.act, asked.work)}
      onClose={() => setAsked(undefined)}
    >
      {asked.act === "delete"
        ? "作品的模型、评论、点赞与收藏会一起删除，不能恢复。源文件还在。"
        : "别人不再看得到它，评论和数字会保留，之后可以重新展示。"}
    </ConfirmDialog>
  );
  return {
    /** Confirms first before deleting, and before withdrawing a published work. */
    start: (what: Act, work: WorksMyWork) => {
      const shown = work.state === "published" && work.editState !== "review";
      if (what === "delete" || (what === "withdraw" && shown)) setAsked({ act: what, work });
      else void act(what, work);
    },
    act,
    busy: submitting.isLoading || relisting.isLoading,
    dialog,
  };
}
