import Box from "@mui/material/Box";
import { useEffect, useLayoutEffect, useRef } from "react";
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigate } from "react-router";
import { PopupHost } from "@/features/popups";
import { ProofHost } from "@/features/proof";
import { setNavigate } from "@/lib/navigation";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";
import { PerAccount } from "./PerAccount";
import { HOME_PATHS, HOME_TITLE } from "./paths";
import { useRouteTitle } from "./routeTitle";
import { ShopHost } from "./ShopHost";

export const PRODUCT_NAME = "玄览云";

/** The router has one key for all pages that were opened by their address: each keeps its own place. */
const scrollKey = ({ key, pathname, search }: Location) => (key === "default" ? pathname + search : key);

/** Common to every page: the skip link, the document's title and the announcement of new pages. */
export function PageFrame() {
  const { pathname } = useLocation();
  const title = useRouteTitle();
  const announcer = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  const navigate = useNavigate();

  useEffect(() => {
    setNavigate(navigate);
    return () => setNavigate(undefined);
  }, [navigate]);

  // before the effects of the page, which may set a better title
  useLayoutEffect(() => {
    if (title) document.title = HOME_PATHS.includes(pathname) ? HOME_TITLE : `${title} - ${PRODUCT_NAME}`;
  }, [title, pathname]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    if (announcer.current) announcer.current.textContent = title ?? document.title;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [title, pathname]);

  return (
    <>
      <Box
        component="a"
        href="#main"
        sx={{
          position: "fixed",
          top: 8,
          left: 8,
          zIndex: 2000,
          px: 2,
          py: 1,
          borderRadius: 1,
          bgcolor: "primary.main",
          color: "primary.contrastText",
          textDecoration: "none",
          transform: "translateY(-200%)",
          "&:focus": { transform: "none" },
        }}
      >
        跳到主要内容
      </Box>
      {/* before the page: after it, its one pixel would make a page of window height scroll */}
      <div ref={announcer} role="status" aria-live="polite" style={VISUALLY_HIDDEN} />
      <PerAccount>
        <Outlet />
        <ShopHost />
        <PopupHost />
        <ProofHost />
      </PerAccount>
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}
