import { styled } from "@mui/material/styles";
import { enqueueSnackbar, MaterialDesignContent, SnackbarProvider } from "notistack";
import { useEffect } from "react";
import { floatShadow } from "@/theme";
import { setToastHost, TOAST_MS } from "./toast";

/** A quiet card with a coloured edge instead of a coloured background. */
const ToastCard = styled(MaterialDesignContent)(({ theme: { tokens, palette } }) => {
  const edge = (colour: string) => ({
    "&::before": { background: colour },
    "& svg": { color: colour },
  });
  return {
    "&.notistack-MuiContent": {
      position: "relative",
      minWidth: 200,
      padding: "8px 20px 8px 18px",
      overflow: "hidden",
      fontSize: 14,
      lineHeight: "22px",
      color: tokens.text,
      background: palette.background.paper,
      border: `1px solid ${tokens.line}`,
      borderRadius: 8,
      boxShadow: floatShadow,
      "&::before": { content: '""', position: "absolute", inset: "0 auto 0 0", width: 3 },
    },
    "&.notistack-MuiContent-success": edge(tokens.success),
    "&.notistack-MuiContent-error": edge(tokens.danger),
    "&.notistack-MuiContent-warning": edge(tokens.warning),
  };
});

export default function ToastHost() {
  useEffect(() => {
    setToastHost(({ kind, text }) => {
      enqueueSnackbar(text, { variant: kind, autoHideDuration: TOAST_MS, preventDuplicate: true });
    });
    return () => setToastHost(undefined);
  }, []);
  return (
    <SnackbarProvider
      maxSnack={3}
      autoHideDuration={TOAST_MS}
      anchorOrigin={{ vertical: "top", horizontal: "center" }}
      preventDuplicate
      Components={{ success: ToastCard, error: ToastCard, warning: ToastCard }}
    />
  );
}
