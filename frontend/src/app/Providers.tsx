import CssBaseline from "@mui/material/CssBaseline";
import { styled, ThemeProvider } from "@mui/material/styles";
import { MaterialDesignContent, SnackbarProvider } from "notistack";
import type { ReactNode } from "react";
import { Provider } from "react-redux";
import { floatShadow, theme } from "@/theme";
import { TOAST_MS } from "@/ui/toast";
import type { AppStore } from "./store";

/** A quiet card with a coloured edge instead of a slab of colour. */
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

/** What every page and dialog may count on: store, theme, toasts. */
export function Providers({ store, children }: { store: AppStore; children: ReactNode }) {
  return (
    <Provider store={store}>
      <ThemeProvider theme={theme}>
        <CssBaseline />
        {children}
        <SnackbarProvider
          maxSnack={3}
          autoHideDuration={TOAST_MS}
          anchorOrigin={{ vertical: "top", horizontal: "center" }}
          preventDuplicate
          Components={{ success: ToastCard, error: ToastCard, warning: ToastCard }}
        />
      </ThemeProvider>
    </Provider>
  );
}
