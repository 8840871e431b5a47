import Box from "@mui/material/Box";
import { Footer } from "@/features/footer";
import { Header } from "@/features/header";
import { Main } from "./Main";

/** Certification: the header with a link back to the workbench, and a sheet of form width. */
export default function CompanyLayout() {
  return (
    <Box sx={{ minHeight: "100vh", display: "flex", flexDirection: "column" }}>
      <Header entrance />
      <Main sx={{ width: "100%", maxWidth: 960, mx: "auto", px: 2.5, py: { xs: 3, md: 6 } }} />
      <Footer />
    </Box>
  );
}
