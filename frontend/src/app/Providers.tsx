import CssBaseline from "@mui/material/CssBaseline";
import { ThemeProvider } from "@mui/system";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Provider } from "react-redux";
import type { AppStore } from "@/store";
import { theme } from "@/theme";
import { onFirstToast } from "@/ui/toast";

/** Loads the toast host with the first toast. */
function Toasts() {
  const [Host, setHost] = useState<ComponentType>();
  useEffect(() => {
    onFirstToast(() => {
      import("@/ui/ToastHost").then(
        (module) => setHost(() => module.default),
        // The next toast retries.
        () => undefined,
      );
    });
    return () => onFirstToast(undefined);
  }, []);
  return Host ? <Host /> : null;
}

/** The context of every page and dialog: store, theme, toasts. */
export function Providers({ store, children }: { store: AppStore; children: ReactNode }) {
  return (
    <Provider store={store}>
      <ThemeProvider theme={theme}>
        <CssBaseline />
        {children}
        <Toasts />
      </ThemeProvider>
    </Provider>
  );
}
