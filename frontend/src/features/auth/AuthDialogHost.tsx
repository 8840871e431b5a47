import { type ComponentType, useEffect, useState } from "react";
import { sessionStore } from "@/lib/storage";
import { failureMessages } from "@/messages/failures";
import { dialogClosed, dialogOpened } from "@/session/dialog";
import { LOGIN_PATH } from "@/session/returnUrl";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { toast } from "@/ui/toast";

/** Loads the login dialog when first opened, so that visitors who only read do not download it. */
export function AuthDialogHost() {
  const dispatch = useAppDispatch();
  const open = useAppSelector((state) => state.authDialog.open);
  const loginId = useAppSelector((state) => state.session.loginId);
  const [Dialog, setDialog] = useState<ComponentType>();

  // After a reload in the middle of a registration's steps. The login page shows them itself.
  const [begun] = useState(() => window.location.pathname !== LOGIN_PATH && loginId);
  useEffect(() => {
    if (!begun || !sessionStore.get("xuanlan.afterRegistration")) return;
    import("./afterRegistration").then(
      ({ keptStep }) => {
        const step = keptStep(begun);
        if (step) dispatch(dialogOpened({ step }));
      },
      () => undefined,
    );
  }, [begun, dispatch]);

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
