import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { ThemeProvider } from "@mui/system";
import { lazy, Suspense, useCallback, useState } from "react";
import { Link } from "react-router";
import { theme as lightTheme } from "@/theme";
import ArrowBack from "@/ui/icons/KeyboardArrowDownOutlined";
import MenuIcon from "@/ui/icons/MenuOutlined";
import { Logo } from "@/ui/Logo";
import { MegaMenu } from "@/ui/MegaMenu";
import { SoonTag } from "@/ui/SoonTag";
import { useScrolledPast } from "@/ui/useScrolledPast";
import { MallLink } from "./MallLink";
import { PLAIN_LINKS } from "./nav";
import { DeveloperPanel, ProductPanel } from "./panels";
import { RightSide } from "./RightSide";

const MobileNav = lazy(() => import(/* webpackChunkName: "mobile-nav" */ "./MobileNav"));

/** Scroll offset from which the header over a hero becomes opaque. */
const SOLID_FROM = 8;

const TOP_LINK = {
  height: "100%",
  px: 1.5,
  display: "inline-flex",
  alignItems: "center",
  color: "inherit",
  textDecoration: "none",
  whiteSpace: "nowrap",
  transition: "opacity 120ms ease-out",
  "&:hover": { opacity: 0.75 },
  "@media (max-width: 1319px)": { px: 1 },
  "@media (max-width: 1019px)": { px: 0.5 },
} as const;

function Chevron() {
  return <ArrowBack sx={{ fontSize: 16, opacity: 0.7 }} />;
}

export interface HeaderProps {
  /** Transparent, on a dark hero, until the page is scrolled or a wide menu is open. */
  overHero?: boolean;
  /** Shows one link to the workbench instead of the right-side items. */
  entrance?: boolean;
  /** Spans the window, above a rail. */
  wide?: boolean;
}

export function Header({ overHero = false, entrance = false, wide = false }: HeaderProps) {
  const scrolled = useScrolledPast(SOLID_FROM, overHero);
  const [menuOpen, setMenuOpen] = useState(false);
  const [drawer, setDrawer] = useState<"never" | "open" | "closed">("never");
  const clear = overHero && !scrolled && !menuOpen;
  const onMenu = useCallback((open: boolean) => setMenuOpen(open), []);

  return (
    <ThemeProvider theme={lightTheme}>
      <Box
        component="header"
        data-clear={clear || undefined}
        sx={{
          position: "sticky",
          top: 0,
          zIndex: 1100,
          height: 72,
          mb: overHero ? "-72px" : 0,
          fontSize: 14,
          color: clear ? "#fff" : "text.primary",
          backgroundColor: clear ? "transparent" : "background.paper",
          borderBottom: "1px solid",
          borderColor: clear ? "transparent" : "divider",
          // Over a hero it fades in with the scroll; under an open menu it must appear at once.
          transition: menuOpen ? "none" : "background-color 160ms ease-out, color 160ms ease-out",
        }}
      >
        <Box
          sx={{
            maxWidth: wide ? "none" : 1360,
            mx: "auto",
            height: "100%",
            px: { xs: 2, md: 3 },
            display: "flex",
            alignItems: "center",
            gap: { xs: 1, lg: 2 },
          }}
        >
          <Link to="/" style={{ textDecoration: "none", display: "flex" }}>
            <Logo tone={clear ? "onDark" : "brand"} home />
          </Link>
          <Box
            component="nav"
            aria-label="主导航"
            sx={{ display: { xs: "none", md: "flex" }, height: "100%", ml: { lg: 1 }, flex: 1, minWidth: 0 }}
          >
            <MegaMenu
              wide
              onOpenChange={onMenu}
              label={
                <>
                  产品与服务
                  <Chevron />
                </>
              }
            >
              {(close) => <ProductPanel close={close} />}
            </MegaMenu>
            <MallLink sx={TOP_LINK} />
            <MegaMenu
              width={340}
              label={
                <>
                  开发者中心
                  <Chevron />
                </>
              }
            >
              {(close) => <DeveloperPanel close={close} />}
            </MegaMenu>
            {PLAIN_LINKS.map((link) => (
              <Box key={link.to} component={Link} to={link.to} sx={TOP_LINK}>
                {link.title}
                <SoonTag to={link.to} />
              </Box>
            ))}
          </Box>
          <Box
            sx={{ flex: { xs: 1, md: "none" }, display: "flex", justifyContent: "flex-end", height: "100%" }}
          >
            {entrance ? (
              <Box
                component={Link}
                to="/workbench"
                sx={{ ...TOP_LINK, color: clear ? "#fff" : "primary.main" }}
              >
                我的工作台
              </Box>
            ) : (
              <RightSide />
            )}
          </Box>
          <ButtonBase
            disableRipple
            aria-label="打开菜单"
            aria-expanded={drawer === "open"}
            onClick={() => setDrawer("open")}
            sx={{ display: { xs: "inline-flex", md: "none" }, width: 40, height: 40, color: "inherit" }}
          >
            <MenuIcon />
          </ButtonBase>
        </Box>
        {drawer !== "never" && (
          <Suspense fallback={null}>
            <MobileNav open={drawer === "open"} onClose={() => setDrawer("closed")} />
          </Suspense>
        )}
      </Box>
    </ThemeProvider>
  );
}
