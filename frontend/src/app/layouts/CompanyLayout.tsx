import Box from "@mui/material/Box";
import { Outlet } from "react-router";
import { Footer } from "@/features/footer/Footer";
import { Header } from "@/features/header/Header";

/** Certification: the header with one way back to the workbench, and a sheet of form width. */
export default function CompanyLayout() {
  return (
    <Box sx={{ minHeight: "100vh", display: "flex", flexDirection: "column" }}>
      <Header entrance />
      <Box
        component="main"
        id="main"
        tabIndex={-1}
        sx={{
          flex: 1,
          width: "100%",
          maxWidth: 960,
          mx: "auto",
          px: 2.5,
          py: { xs: 3, md: 6 },
          outline: "none",
        }}
      >
        <Outlet />
      </Box>
      <Footer />
    </Box>
  );
}
