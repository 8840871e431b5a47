import Box from "@mui/material/Box";
import { useEffect } from "react";
import { useLocation } from "react-router";
import { Footer } from "@/features/footer";
import { Header } from "@/features/header";
import { SideToolbar } from "@/features/toolbar";
import { GiftStrip } from "./GiftStrip";
import { Main } from "./Main";

/** Pages that begin with a dark hero under the header. */
const HERO_PATHS = new Set(["/", "/index1", "/index2"]);

/** Brings the part named by the address' anchor into view. */
function useAnchor(): void {
  const location = useLocation();
  useEffect(() => {
    const named = location.hash.slice(1);
    if (!named) return;
    const leaving = new AbortController();
    import("./anchor").then(
      ({ holdAnchor }) => holdAnchor(named, leaving.signal),
      // The router itself tries it once.
      () => undefined,
    );
    return () => leaving.abort();
  }, [location]);
}

/** The public site: full header, footer, side toolbar. */
export function DefaultLayout() {
  const { pathname } = useLocation();
  useAnchor();
  return (
    <Box sx={{ minHeight: "100vh", display: "flex", flexDirection: "column", scrollPaddingTop: 88 }}>
      <GiftStrip />
      <Header overHero={HERO_PATHS.has(pathname)} />
      <Main sx={{ "& [id]": { scrollMarginTop: 88 } }} />
      <Footer />
      <SideToolbar />
    </Box>
  );
}
