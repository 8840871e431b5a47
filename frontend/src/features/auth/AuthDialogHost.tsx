import { type ComponentType, useEffect, useState } from "react";
import { failureMessages } from "@/messages/failures";
import { dialogClosed } from "@/session/dialog";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { toast } from "@/ui/toast";

/** Loads the login dialog when first opened, so that visitors who only read do not download it. */
export function AuthDialogHost() {
  const dispatch = useAppDispatch();
  const open = useAppSelector((state) => state.authDialog.open);
  const [Dialog, setDialog] = useState<ComponentType>();

  useEffect(() => {
    if (!open || Dialog) return;
    let alive = true;
    import("./AuthDialog").then(
      (module) => alive && setDialog(() => module.default),
      () => {
        if (!alive) return;
        // Closes the dialog, so that opening it again retries the download.
        toast.error(failureMessages.chunkFailed);
        dispatch(dialogClosed());
      },
    );
    return () => {
      alive = false;
    };
  }, [open, Dialog, dispatch]);

  return Dialog ? <Dialog /> : null;
}
