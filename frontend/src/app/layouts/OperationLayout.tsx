import Box from "@mui/material/Box";
import { Outlet } from "react-router";
import { Header } from "@/features/header/Header";
import { SideToolbar } from "@/features/toolbar/SideToolbar";
import { MiniFooter } from "./MiniFooter";

/** Campaign and brochure pages: whole header, the page edge to edge, one line at the foot. */
export default function OperationLayout() {
  return (
    <Box
      sx={{
        minHeight: "100vh",
        display: "flex",
        flexDirection: "column",
        backgroundColor: "background.paper",
      }}
    >
      <Header />
      <Box component="main" id="main" tabIndex={-1} sx={{ flex: 1, outline: "none" }}>
        <Outlet />
      </Box>
      <MiniFooter />
      <SideToolbar />
    </Box>
  );
}
