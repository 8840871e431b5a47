import Box from "@mui/material/Box";
import Dialog from "@mui/material/Dialog";
import IconButton from "@mui/material/IconButton";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useCallback, useId } from "react";
import { navigateTo } from "@/lib/navigation";
import { type AuthDialogStep, dialogClosed, stepChanged } from "@/session/dialog";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { AuthCard } from "./AuthCard";
import { forgetStep } from "./afterRegistration";
import { CloseIcon } from "./icons";
import { useAuthFlow } from "./useAuthFlow";

/** The login dialog over a page: a card of 420 px, full width on a phone. */
export default function AuthDialog() {
  const dispatch = useAppDispatch();
  const { open, step, returnURL, phone } = useAppSelector((state) => state.authDialog);
  const theme = useTheme();
  const narrow = useMediaQuery(theme.breakpoints.down("sm"));
  const titleId = useId();
  // The promotion code has Confirm and Skip, and nothing else.
  const closable = step !== "promotion";

  const close = useCallback(() => {
    forgetStep();
    dispatch(dialogClosed());
  }, [dispatch]);
  const go = useCallback(
    (next: AuthDialogStep, number?: string) => dispatch(stepChanged({ step: next, phone: number ?? "" })),
    [dispatch],
  );
  const leave = useCallback(
    (path: string) => {
      close();
      if (path) navigateTo(path);
    },
    [close],
  );
  const onToken = useAuthFlow(
    go,
    useCallback(() => leave(returnURL), [leave, returnURL]),
  );

  return (
    <Dialog
      open={open}
      // A click outside must not discard input; Escape closes the dialog where the cross does.
      onClose={(_event, reason) => reason === "escapeKeyDown" && closable && close()}
      aria-labelledby={titleId}
      fullScreen={narrow}
      scroll="body"
      slotProps={{
        paper: {
          sx: {
            position: "relative",
            width: { xs: "100%", sm: 420 },
            maxWidth: { xs: "100% !important", sm: 420 },
            m: { xs: 0, sm: 4 },
            borderRadius: { xs: 0, sm: 2 },
          },
        },
      }}
    >
      {closable && (
        <Box sx={{ position: "absolute", top: 16, right: 16, zIndex: 1 }}>
          <IconButton aria-label="关闭" onClick={close} sx={{ color: "text.disabled" }}>
            <CloseIcon />
          </IconButton>
        </Box>
      )}
      <AuthCard
        step={step}
        phone={phone}
        returnURL={returnURL}
        titleId={titleId}
        go={go}
        onToken={onToken}
        onLeave={leave}
      />
    </Dialog>
  );
}
