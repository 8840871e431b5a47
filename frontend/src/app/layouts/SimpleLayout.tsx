import Box from "@mui/material/Box";
import { Link } from "react-router";
import { Logo } from "@/ui/Logo";
import { Main } from "./Main";
import { MiniFooter } from "./MiniFooter";

/** A document: logo, a link home, a column of reading width on white. */
export default function SimpleLayout() {
  return (
    <Box
      sx={{
        minHeight: "100vh",
        display: "flex",
        flexDirection: "column",
        backgroundColor: "background.paper",
      }}
    >
      <Box component="header" sx={{ borderBottom: 1, borderColor: "divider", height: 72, flex: "none" }}>
        <Box
          sx={{
            maxWidth: 1200,
            mx: "auto",
            px: 2.5,
            height: "100%",
            display: "flex",
            alignItems: "center",
            justifyContent: "space-between",
          }}
        >
          <Link to="/" style={{ textDecoration: "none" }}>
            <Logo home />
          </Link>
          <Box component={Link} to="/" sx={{ color: "text.secondary", textDecoration: "none", fontSize: 14 }}>
            返回首页
          </Box>
        </Box>
      </Box>
      <Main sx={{ width: "100%", maxWidth: 880, mx: "auto", px: 2.5, py: { xs: 4, md: 7 } }} />
      <MiniFooter />
    </Box>
  );
}
