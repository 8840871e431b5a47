import Box from "@mui/material/Box";
import { Link } from "react-router";
import { Logo } from "@/ui/Logo";
import { Main } from "./Main";
import { MiniFooter } from "./MiniFooter";

/** A page for one task (signing in, paying): the logo in the corner, the task in the middle. */
export default function Simple2Layout() {
  return (
    <Box
      sx={{
        minHeight: "100vh",
        display: "flex",
        flexDirection: "column",
        backgroundImage:
          "radial-gradient(50% 60% at 85% 8%, rgba(31,94,255,.08), transparent 70%), radial-gradient(40% 50% at 5% 95%, rgba(15,163,163,.08), transparent 70%)",
      }}
    >
      <Box
        component="header"
        sx={{ height: 72, flex: "none", px: { xs: 2.5, md: 5 }, display: "flex", alignItems: "center" }}
      >
        <Link to="/" style={{ textDecoration: "none" }}>
          <Logo home />
        </Link>
      </Box>
      <Main sx={{ display: "grid", placeItems: "center", px: 2, py: 3, minWidth: 0 }} />
      <MiniFooter />
    </Box>
  );
}
