import Box from "@mui/material/Box";
import { Header } from "@/features/header";
import { SideToolbar } from "@/features/toolbar";
import { Main } from "./Main";
import { MiniFooter } from "./MiniFooter";

/** Campaign and brochure pages: full header, the page edge to edge, a one-line footer. */
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
      <Main />
      <MiniFooter />
      <SideToolbar />
    </Box>
  );
}
