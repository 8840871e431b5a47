import Box from "@mui/material/Box";
import { ThemeProvider } from "@mui/system";
import { NavLink } from "react-router";
import { darkTheme } from "@/theme";
import { Main } from "./Main";
import { StageBar } from "./StageBar";

const TOOLS = [
  { text: "图片生成模型", to: "/workbench/ai-tools/img3D" },
  { text: "文字生成模型", to: "/workbench/ai-tools/text3D" },
] as const;

/** Generating a model from text or a picture: dark, with the two tools as tabs in the bar. */
export default function Text3dLayout() {
  return (
    <ThemeProvider theme={darkTheme}>
      <Box
        sx={{
          minHeight: "100dvh",
          display: "flex",
          flexDirection: "column",
          backgroundColor: "background.default",
          color: "text.primary",
        }}
      >
        <StageBar title="AI 工具" exit={{ text: "返回工作台", to: "/workbench" }}>
          <Box
            component="nav"
            aria-label="AI 工具"
            sx={{
              display: "flex",
              height: 48,
              "& a": {
                px: 2,
                display: "flex",
                alignItems: "center",
                color: "text.secondary",
                textDecoration: "none",
                fontSize: 14,
              },
              "& a.active": { color: "text.primary", boxShadow: "inset 0 -2px 0 #5B8CFF" },
            }}
          >
            {TOOLS.map((tool) => (
              <NavLink key={tool.to} to={tool.to}>
                {tool.text}
              </NavLink>
            ))}
          </Box>
        </StageBar>
        <Main sx={{ minWidth: 0 }} />
      </Box>
    </ThemeProvider>
  );
}
