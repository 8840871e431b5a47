import CssBaseline from "@mui/material/CssBaseline";
import { ThemeProvider } from "@mui/system";
import { type ReactNode, Suspense } from "react";
import { Provider } from "react-redux";
import { optional } from "@/lib/chunk";
import { theme } from "@/theme";
import type { ConsoleStore } from "./store";

const ToastHost = optional(() => import(/* webpackChunkName: "console-toasts" */ "@/ui/ToastHost"));

/** The context of every page of the console: store, theme, toasts. */
export function Providers({ store, children }: { store: ConsoleStore; children: ReactNode }) {
  return (
    <Provider store={store}>
      <ThemeProvider theme={theme}>
        <CssBaseline />
        {children}
        <Suspense>
          <ToastHost />
        </Suspense>
      </ThemeProvider>
    </Provider>
  );
}
