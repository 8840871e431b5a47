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

/** Scrolls to the part named by the address' anchor once the page is drawn. */
function useAnchor(): void {
  const location = useLocation();
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (!id) return;
    let tries = 0;
    let frame = 0;
    const look = () => {
      const target = document.getElementById(id);
      if (target) {
        target.scrollIntoView({ block: "start" });
        return;
      }
      // The page may still be loading its chunk: about two seconds at 60 frames.
      tries += 1;
      if (tries < 120) frame = window.requestAnimationFrame(look);
    };
    frame = window.requestAnimationFrame(look);
    return () => window.cancelAnimationFrame(frame);
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
