import Box from "@mui/material/Box";
import { ThemeProvider } from "@mui/system";
import { darkTheme } from "@/theme";
import { Main } from "./Main";
import { StageBar } from "./StageBar";

/** The editor's dark stage: a slim bar, the rest shows the model. */
export default function EditLayout() {
  return (
    <ThemeProvider theme={darkTheme}>
      <Box
        sx={{
          height: "100dvh",
          display: "flex",
          flexDirection: "column",
          backgroundColor: "background.default",
          color: "text.primary",
        }}
      >
        <StageBar title="模型编辑器" exit={{ text: "退出", to: "/workbench" }} />
        <Main sx={{ minHeight: 0, overflow: "auto" }} />
      </Box>
    </ThemeProvider>
  );
}
