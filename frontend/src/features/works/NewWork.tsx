import Button from "@mui/material/Button";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useCreateWorkMutation } from "@/calls/works";
import { ModelSelector } from "@/features/processing";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";
import { editPath } from "./words";

/** Creates a draft from one of the user's source files, and opens it. */
export function NewWork() {
  const { loginId } = useSession();
  const navigate = useNavigate();
  const [create, { isLoading }] = useCreateWorkMutation();
  const [open, setOpen] = useState(false);
  async function make(fileId: string) {
    setOpen(false);
    try {
      const work = await create({ userId: loginId, fileId, type: 0 }).unwrap();
      toast.success("草稿已建好");
      await navigate(editPath(work.card.id));
    } catch {
      // already reported by the shared wrapper
    }
  }
  return (
    <>
      <Button variant="contained" loading={isLoading} onClick={() => setOpen(true)}>
        发布作品
      </Button>
      <ModelSelector open={open} onClose={() => setOpen(false)} onPick={({ fileId }) => void make(fileId)} />
    </>
  );
}
