import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import { ThemeProvider } from "@mui/material/styles";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { Link } from "react-router";
import { useTransactionGetCartListQuery } from "@/api";
import { getConfig } from "@/api/config";
import { Avatar } from "@/features/avatar/Avatar";
import { useAvatarData } from "@/features/avatar/data";
import { useAuthDialog, useSession } from "@/session";
import { useShop } from "@/shop";
import { theme as lightTheme } from "@/theme";
import CouponIcon from "@/ui/icons/ConfirmationNumberOutlined";
import ArrowBack from "@/ui/icons/KeyboardArrowDownOutlined";
import MenuIcon from "@/ui/icons/MenuOutlined";
import CartIcon from "@/ui/icons/ShoppingCartOutlined";
import { Logo } from "@/ui/Logo";
import { MegaMenu } from "@/ui/MegaMenu";
import { gradeOf } from "@/ui/MemberBadge";
import { safeHref } from "@/ui/safeHref";
import { CART_PATH, COUPON_PATH, PLAIN_LINKS, UPLOAD_PATH } from "./nav";
import { DeveloperPanel, ProductPanel } from "./panels";

const AvatarPanel = lazy(
  () => import(/* webpackChunkName: "avatar-panel" */ "@/features/avatar/AvatarPanel"),
);
const MemberButton = lazy(() => import(/* webpackChunkName: "member-button" */ "./MemberButton"));
const MobileNav = lazy(() => import(/* webpackChunkName: "mobile-nav" */ "./MobileNav"));

/** Scrolled further than this, the header over a hero gets its ground. */
const SOLID_FROM = 8;
/** The whole cart in one page, as the specification has it. */
const CART_PAGE_SIZE = 200;

function useScrolled(active: boolean): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    if (!active) return;
    const read = () => setScrolled(window.scrollY > SOLID_FROM);
    read();
    window.addEventListener("scroll", read, { passive: true });
    return () => window.removeEventListener("scroll", read);
  }, [active]);
  return scrolled;
}

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

/** The cart's number of models, over its corner. */
function CartLink({ count }: { count?: number }) {
  return (
    <ButtonBase
      component={Link}
      to={CART_PATH}
      disableRipple
      aria-label={count === undefined ? "购物车" : `购物车，${count} 件`}
      sx={{ width: 40, height: 40, borderRadius: "4px", position: "relative", color: "inherit" }}
    >
      <CartIcon sx={{ fontSize: 20 }} />
      {count !== undefined && count > 0 && (
        <Box
          component="span"
          aria-hidden="true"
          sx={{
            position: "absolute",
            top: 2,
            right: 0,
            minWidth: 16,
            height: 16,
            px: "4px",
            borderRadius: 8,
            fontSize: 11,
            lineHeight: "16px",
            color: "#fff",
            backgroundColor: "error.main",
            fontVariantNumeric: "tabular-nums",
          }}
        >
          {count > 99 ? "99+" : count}
        </Box>
      )}
    </ButtonBase>
  );
}

function RightSide() {
  const session = useSession();
  const cart = useTransactionGetCartListQuery(
    { pageNo: 1, pageSize: CART_PAGE_SIZE },
    { skip: !session.signedIn },
  );
  const cartCount = session.signedIn ? cart.data?.totalCount : undefined;
  const auth = useAuthDialog();
  const { info } = useAvatarData();
  const grade = gradeOf(info?.memberGradeName, info?.memberStatus);
  const isMember = grade !== "free";
  const shop = useShop();
  const name = info?.nickName || session.nickname;
  return (
    <Box sx={{ display: "flex", alignItems: "center", height: "100%", gap: 0.5 }}>
      <CartLink count={cartCount} />
      {!isMember && (
        <Button
          size="small"
          onClick={() => shop.buy()}
          sx={{
            display: { xs: "none", lg: "inline-flex" },
            mx: 0.5,
            color: "#7A5410",
            backgroundColor: "#FFF3D6",
            border: "1px solid #EBD6A6",
            "&:hover": { backgroundColor: "#FBE7B8" },
          }}
        >
          开通会员
        </Button>
      )}
      {isMember && (
        <Suspense fallback={null}>
          <MemberButton grade={grade} expires={info?.expirationTime ?? null} />
        </Suspense>
      )}
      <ButtonBase
        component={Link}
        to={COUPON_PATH}
        disableRipple
        sx={{
          display: { xs: "none", lg: "inline-flex" },
          px: 1,
          height: 40,
          gap: 0.5,
          color: "inherit",
          fontSize: 14,
        }}
      >
        <CouponIcon sx={{ fontSize: 18 }} />
        优惠券
      </ButtonBase>
      <Button
        component={Link}
        to={UPLOAD_PATH}
        variant="contained"
        size="small"
        sx={{ display: { xs: "none", sm: "inline-flex" }, mx: 1, minHeight: 36, whiteSpace: "nowrap" }}
      >
        上传模型
      </Button>
      {session.signedIn ? (
        <MegaMenu
          align="right"
          width={340}
          buttonLabel="我的账号"
          label={<Avatar url={info?.avatar ?? session.avatar} name={name} size={34} />}
        >
          {(close) => (
            <Suspense fallback={<Box sx={{ p: 2, minHeight: 480 }} aria-busy="true" />}>
              <AvatarPanel close={close} />
            </Suspense>
          )}
        </MegaMenu>
      ) : (
        <Box sx={{ display: "flex", alignItems: "center", whiteSpace: "nowrap" }}>
          <ButtonBase
            disableRipple
            onClick={() => auth.open("login")}
            sx={{ font: "inherit", px: 1, height: 40, color: "inherit" }}
          >
            登录
          </ButtonBase>
          <Box component="span" aria-hidden="true" sx={{ opacity: 0.4 }}>
            /
          </Box>
          <ButtonBase
            disableRipple
            onClick={() => auth.open("register")}
            sx={{ font: "inherit", px: 1, height: 40, color: "inherit" }}
          >
            注册
          </ButtonBase>
        </Box>
      )}
    </Box>
  );
}

export interface HeaderProps {
  /** Transparent, on a dark hero, until the page is scrolled or a wide menu is open. */
  overHero?: boolean;
  /** Shows one link to my workbench in place of the right-side items. */
  entrance?: boolean;
  /** Spans the window, above a rail. */
  wide?: boolean;
}

export function Header({ overHero = false, entrance = false, wide = false }: HeaderProps) {
  const scrolled = useScrolled(overHero);
  const [menuOpen, setMenuOpen] = useState(false);
  const [drawer, setDrawer] = useState<"never" | "open" | "closed">("never");
  const clear = overHero && !scrolled && !menuOpen;
  const onMenu = useCallback((open: boolean) => setMenuOpen(open), []);
  const mallUrl = safeHref(getConfig().mallUrl);

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
          // Over a hero it fades in with the scroll; under an open menu it must be there at once.
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
          <Link to="/" aria-label="玄览云首页" style={{ textDecoration: "none", display: "flex" }}>
            <Logo tone={clear ? "onDark" : "brand"} />
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
            {mallUrl && (
              <Box component="a" href={mallUrl} target="_blank" rel="noreferrer" sx={TOP_LINK}>
                模型商城
              </Box>
            )}
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
