import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import { useEffect, useMemo, useRef, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { LogoMark } from "@/ui/Logo";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";
import { PartsProvider } from "../kit/parts";
import { KNOWN_MS, refreshOperator, useConsoleDispatch } from "../session/calls";
import { useOperator } from "../session/slice";
import { areas, partsOf, railOf } from "./areas";
import { CommandBar } from "./CommandBar";
import { IdleWatch } from "./IdleWatch";
import { MENU, SEARCH, Strokes } from "./icons";
import { OperatorMenu } from "./OperatorMenu";
import { Rail } from "./Rail";
import { Reconfirm } from "./Reconfirm";

export const RAIL_WIDTH = 208;
const BAR_HEIGHT = 52;

/** Marks the environment: an operator must not freeze a real customer believing it to be a test. */
const PRODUCTION = { text: "生产环境", ground: "#FDECEC", color: "#A31515" };
const OTHER = { text: "测试环境", ground: "#E3F5F4", color: "#0A5C5C" };

function EnvironmentTag({ environment }: { environment: string }) {
  if (!environment) return null;
  const { text, ground, color } = environment === "production" ? PRODUCTION : OTHER;
  return (
    <Box
      component="span"
      sx={{
        px: 1,
        fontSize: 12,
        lineHeight: "22px",
        fontWeight: 500,
        borderRadius: "4px",
        whiteSpace: "nowrap",
        backgroundColor: ground,
        color,
      }}
    >
      {text}
    </Box>
  );
}

/** Scrolls to the top of a new page and moves the focus into it, as a page load would. */
function useArrival() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the address changes
  useEffect(() => {
    if (!first.current) {
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [pathname]);
  return main;
}

/** Reads the operator again when they come back to the window or go to another page. */
function useCurrentOperator() {
  const { pathname } = useLocation();
  const dispatch = useConsoleDispatch();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the address changes
  useEffect(() => {
    const check = () => void dispatch(refreshOperator(KNOWN_MS));
    check();
    window.addEventListener("focus", check);
    return () => window.removeEventListener("focus", check);
  }, [pathname, dispatch]);
}

/** Rail, bar and the page, for a signed-in operator. */
export function Frame() {
  const operator = useOperator();
  const sections = railOf(operator);
  const parts = useMemo(
    () => ({
      cards: partsOf(operator, (module) => module.overview),
      userPanels: partsOf(operator, (module) => module.userPanels),
      names: Object.assign({}, ...areas.map((module) => module.names)),
      named: areas.map(({ title, names = {} }) => ({ title, ids: Object.keys(names) })),
    }),
    [operator],
  );
  const { pathname } = useLocation();
  const [drawer, setDrawer] = useState(false);
  const [command, setCommand] = useState(false);
  const main = useArrival();
  useCurrentOperator();

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
      event.preventDefault();
      setCommand((open) => !open);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  return (
    <Box sx={{ minHeight: "100vh", backgroundColor: "background.default" }}>
      <Box
        component="a"
        href="#main"
        onClick={(event) => {
          // the address behind the hash belongs to the router
          event.preventDefault();
          main.current?.focus();
        }}
        sx={{
          ...VISUALLY_HIDDEN,
          "&:focus": {
            position: "fixed",
            left: 8,
            top: 8,
            zIndex: 2000,
            width: "auto",
            height: "auto",
            clipPath: "none",
            px: 2,
            py: 1,
            backgroundColor: "background.paper",
            border: 1,
            borderColor: "divider",
            borderRadius: 1,
          },
        }}
      >
        跳到内容
      </Box>
      <Box
        component="header"
        sx={{
          position: "sticky",
          top: 0,
          zIndex: 1100,
          height: BAR_HEIGHT,
          px: { xs: 1, md: 2 },
          display: "flex",
          alignItems: "center",
          gap: { xs: 1, md: 1.5 },
          borderBottom: 1,
          borderColor: "divider",
          backgroundColor: "background.paper",
        }}
      >
        <IconButton
          aria-label="打开导航"
          aria-expanded={drawer}
          onClick={() => setDrawer(true)}
          sx={{ display: { md: "none" } }}
        >
          <Strokes d={MENU} size={20} />
        </IconButton>
        <Box sx={{ display: "flex", alignItems: "center", gap: 1, width: { md: RAIL_WIDTH - 24 } }}>
          <LogoMark size={24} />
          <Box
            sx={{ fontWeight: 600, fontSize: 15, whiteSpace: "nowrap", display: { xs: "none", sm: "block" } }}
          >
            玄览云运营后台
          </Box>
        </Box>
        <EnvironmentTag environment={operator.environment} />
        <ButtonBase
          onClick={() => setCommand(true)}
          aria-keyshortcuts="Control+K"
          sx={{
            ml: "auto",
            height: 34,
            width: { xs: 34, md: 280 },
            px: { md: 1.25 },
            gap: 1,
            justifyContent: { xs: "center", md: "flex-start" },
            fontSize: 13,
            color: "text.secondary",
            border: { md: 1 },
            borderColor: { md: "divider" },
            borderRadius: "4px",
            "&:hover": { borderColor: "text.disabled" },
          }}
        >
          <Strokes d={SEARCH} />
          <Box component="span" sx={{ display: { xs: "none", md: "inline" } }}>
            搜索用户、页面
          </Box>
          <Box component="span" sx={{ ...VISUALLY_HIDDEN, display: { md: "none" } }}>
            搜索用户、页面
          </Box>
          <Box
            component="kbd"
            sx={{
              display: { xs: "none", md: "inline" },
              ml: "auto",
              fontSize: 11,
              fontFamily: "inherit",
              color: "text.secondary",
              border: 1,
              borderColor: "divider",
              borderRadius: "3px",
              px: 0.5,
            }}
          >
            Ctrl K
          </Box>
        </ButtonBase>
        <OperatorMenu />
      </Box>
      <Box sx={{ display: "flex", alignItems: "stretch" }}>
        <Box
          sx={{
            display: { xs: "none", md: "block" },
            width: RAIL_WIDTH,
            flex: "none",
            borderRight: 1,
            borderColor: "divider",
            backgroundColor: "background.paper",
            minHeight: `calc(100vh - ${BAR_HEIGHT}px)`,
          }}
        >
          <Box
            sx={{
              position: "sticky",
              top: BAR_HEIGHT,
              maxHeight: `calc(100vh - ${BAR_HEIGHT}px)`,
              overflowY: "auto",
            }}
          >
            <Rail sections={sections} />
          </Box>
        </Box>
        <Box
          component="main"
          id="main"
          ref={main}
          tabIndex={-1}
          sx={{ flex: 1, minWidth: 0, px: { xs: 1.5, md: 3 }, py: { xs: 2, md: 2.5 }, outline: "none" }}
        >
          <Box sx={{ maxWidth: 1440 }}>
            <PartsProvider value={parts}>
              <Outlet />
            </PartsProvider>
          </Box>
        </Box>
      </Box>
      <Drawer
        key={pathname}
        open={drawer}
        onClose={() => setDrawer(false)}
        slotProps={{ paper: { sx: { width: 248 }, "aria-label": "导航" } }}
      >
        <Box sx={{ display: "flex", justifyContent: "flex-end", p: 1 }}>
          <Button size="small" color="inherit" onClick={() => setDrawer(false)}>
            关闭
          </Button>
        </Box>
        <Rail sections={sections} onChoose={() => setDrawer(false)} />
      </Drawer>
      <CommandBar open={command} onClose={() => setCommand(false)} />
      <IdleWatch />
      <Reconfirm />
    </Box>
  );
}
