import Box, { type BoxProps } from "@mui/material/Box";
import { type Theme, ThemeProvider } from "@mui/material/styles";
import type { SystemStyleObject } from "@mui/system";
import { darkTheme } from "@/theme";

interface StageFrameProps extends Omit<BoxProps, "sx"> {
  sx?: SystemStyleObject<Theme>;
}

/** The dark background of every stage, filling its parent. */
export function StageFrame({ sx, children, ...box }: StageFrameProps) {
  return (
    <ThemeProvider theme={darkTheme}>
      <Box
        {...box}
        sx={{
          position: "relative",
          width: "100%",
          height: "100%",
          overflow: "hidden",
          bgcolor: "background.default",
          color: "text.primary",
          colorScheme: "dark",
          ...sx,
        }}
      >
        {children}
      </Box>
    </ThemeProvider>
  );
}
