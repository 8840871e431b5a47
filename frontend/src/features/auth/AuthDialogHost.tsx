import { type ComponentType, useEffect, useState } from "react";
import { errorMessages } from "@/messages/errors";
import { dialogClosed } from "@/session/dialog";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { toast } from "@/ui/toast";

/** Loads the login dialog when it is first asked for; a visitor who only reads never pays for it. */
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
        // The dialog stays closed rather than half there; asking again tries again.
        toast.error(errorMessages.chunkFailed);
        dispatch(dialogClosed());
      },
    );
    return () => {
      alive = false;
    };
  }, [open, Dialog, dispatch]);

  return Dialog ? <Dialog /> : null;
}
