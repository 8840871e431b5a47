import Button from "@mui/material/Button";
import { useState } from "react";
import { useNavigate } from "react-router";
import { type TransactionMakerListing, useDeleteListingMutation } from "@/calls/listings";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toast } from "@/ui/toast";
import { RefusedDialog } from "./RefusedDialog";
import { useActs } from "./useActs";
import { VersionDialog } from "./VersionDialog";
import { allowed } from "./words";

/**
 * The maker's actions on a listing outside the form.
 *
 * @param onDeleted called before the page is left: what the form holds is not wanted any more
 * @param onDiscarded called when the changes were given up, with those that the form holds
 */
export function Acts({
  found,
  onDeleted,
  onDiscarded,
}: {
  found: TransactionMakerListing;
  onDeleted: () => void;
  onDiscarded: () => void;
}) {
  const { loginId } = useSession();
  const { listingId, name } = found.listing;
  const navigate = useNavigate();
  const acts = useActs();
  const [remove] = useDeleteListingMutation();
  const [asked, setAsked] = useState<"version" | "withdraw" | "delete" | "discard">();
  const close = () => setAsked(undefined);
  const can = allowed(found);
  const listed = found.state === "listed";
  return (
    <>
      {can.remove && (
        <Button color="error" onClick={() => setAsked("delete")}>
          删除草稿
        </Button>
      )}
      {can.withdraw && (
        <Button variant="outlined" color={listed ? "error" : "primary"} onClick={() => setAsked("withdraw")}>
          {listed ? "下架" : "撤回"}
        </Button>
      )}
      {can.discard && (
        <Button color="error" onClick={() => setAsked("discard")}>
          放弃修改
        </Button>
      )}
      {can.takeBack && (
        <Button variant="outlined" loading={acts.busy} onClick={() => void acts.takeBack(listingId)}>
          撤回审核
        </Button>
      )}
      {can.version && (
        <Button variant="outlined" onClick={() => setAsked("version")}>
          发布新版本
        </Button>
      )}
      {can.relist && (
        <Button variant="contained" loading={acts.busy} onClick={() => void acts.act("relist", [listingId])}>
          重新上架
        </Button>
      )}
      {asked === "version" && <VersionDialog listingId={listingId} fileId={found.fileId} onClose={close} />}
      <ConfirmDialog
        open={asked === "withdraw"}
        title={listed ? "下架这个模型？" : "撤回审核？"}
        confirmText={listed ? "下架" : "撤回"}
        danger={listed}
        onClose={close}
        onConfirm={async () => {
          await acts.act("withdraw", [listingId], listed);
          close();
        }}
      >
        {listed
          ? "商城立即不再展示，已购买的人仍可下载。之后可以随时重新上架。"
          : "模型回到待完善，可以修改后重新提交。"}
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === "discard"}
        title="放弃修改？"
        confirmText="放弃修改"
        danger
        onClose={close}
        onConfirm={async () => {
          if (await acts.takeBack(listingId, true)) onDiscarded();
          close();
        }}
      >
        没有通过审核的修改和新版本都不保留，资料回到上次通过审核的内容。价格和授权不受影响。
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === "delete"}
        title="删除这个草稿？"
        confirmText="删除"
        danger
        onClose={close}
        onConfirm={async () => {
          try {
            await remove({ userId: loginId, listingId }).unwrap();
            toast.success("草稿已删除");
            onDeleted();
            void navigate("/publishCenter/toBeReleased", { replace: true });
          } catch {
            // already reported by the shared wrapper
            close();
          }
        }}
      >
        {`“${name}”填写的资料会被删除，源文件保留。`}
      </ConfirmDialog>
      <RefusedDialog refused={acts.refused} nameOf={() => name} onClose={acts.forget} />
    </>
  );
}
