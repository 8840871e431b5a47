import Box from "@mui/material/Box";
import type { Theme } from "@mui/material/styles";
import type { SystemStyleObject } from "@mui/system";
import type { ReactNode } from "react";
import { Outlet } from "react-router";

/** The main part of every layout: the target of the skip link, and of the focus on a new page. */
export function Main({ sx, children = <Outlet /> }: { sx?: SystemStyleObject<Theme>; children?: ReactNode }) {
  return (
    <Box component="main" id="main" tabIndex={-1} sx={{ flex: 1, outline: "none", ...sx }}>
      {children}
    </Box>
  );
}
