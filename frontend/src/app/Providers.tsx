import CssBaseline from "@mui/material/CssBaseline";
import { ThemeProvider } from "@mui/material/styles";
import { SnackbarProvider } from "notistack";
import type { ReactNode } from "react";
import { Provider } from "react-redux";
import { theme } from "@/theme";
import { TOAST_MS } from "@/ui/toast";
import type { AppStore } from "./store";

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
        />
      </ThemeProvider>
    </Provider>
  );
}
