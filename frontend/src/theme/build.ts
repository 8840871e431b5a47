import { createTheme, type Theme } from "@mui/material/styles";
import { floatShadow, fontFamily, motion, radius, type Tokens } from "./tokens";

declare module "@mui/material/styles" {
  interface Theme {
    tokens: Tokens;
  }
  interface ThemeOptions {
    tokens?: Tokens;
  }
}

function size(px: number, line: number, weight = 400) {
  return { fontSize: `${px}px`, lineHeight: `${line}px`, fontWeight: weight, letterSpacing: 0 };
}

/** The focus ring. */
const ring = (color: string) => ({ outline: `2px solid ${color}`, outlineOffset: 2 });
/** The same inside of elements that fill their container, which would clip an outer ring. */
const ringInside = { outlineOffset: -2 };

/** Replaces the library's English labels of its page buttons. */
const PAGE_WORDS: Record<string, string> = {
  first: "第一页",
  previous: "上一页",
  next: "下一页",
  last: "最后一页",
};

/** The theme of a mode; each takes a phone some 20 ms, so pages evaluate only what they draw with. */
export function build(mode: "light" | "dark", t: Tokens): Theme {
  return createTheme({
    tokens: t,
    palette: {
      mode,
      primary: {
        main: t.primary,
        dark: t.primaryHover,
        contrastText: mode === "light" ? "#FFFFFF" : "#0B1020",
      },
      secondary: { main: t.accent },
      success: { main: t.success },
      warning: { main: t.warning },
      error: { main: t.danger },
      background: { default: t.ground, paper: t.card },
      text: { primary: t.text, secondary: t.textSecond, disabled: t.textThird },
      divider: t.line,
    },
    shape: { borderRadius: radius.control },
    spacing: 8,
    breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1440 } },
    transitions: {
      duration: {
        shortest: motion.fast,
        shorter: motion.fast,
        short: motion.normal,
        standard: motion.normal,
      },
    },
    typography: {
      fontFamily,
      fontSize: 14,
      fontWeightRegular: 400,
      fontWeightMedium: 500,
      fontWeightBold: 600,
      h1: size(32, 44, 600),
      h2: size(24, 34, 600),
      h3: size(20, 30, 600),
      h4: size(16, 24, 600),
      h5: size(14, 22, 600),
      h6: size(14, 22, 500),
      subtitle1: size(16, 24, 500),
      subtitle2: size(14, 22, 500),
      body1: size(14, 22),
      body2: size(14, 22),
      caption: size(12, 18),
      button: { ...size(14, 22, 500), textTransform: "none" },
    },
    components: {
      // the buttons end where the fields do
      MuiDialogActions: { styleOverrides: { root: { padding: "8px 24px 20px" } } },
      MuiDialogTitle: { styleOverrides: { root: { fontSize: 16, lineHeight: "24px", fontWeight: 600 } } },
      MuiCssBaseline: {
        styleOverrides: {
          // Under a dialog the library hides the scroll bar and pads the body, but not elements fixed to the window:
          // instead, the bar's space is reserved, and nothing jumps.
          "html:has(> body[style*='padding-right'])": { scrollbarGutter: "stable" },
          body: {
            WebkitFontSmoothing: "antialiased",
            textRendering: "optimizeLegibility",
            paddingRight: "0 !important",
          },
          "::selection": { background: t.primarySoft },
          ":focus-visible": ring(t.primary),
          "@media (prefers-reduced-motion: reduce)": {
            "*, *::before, *::after": {
              animationDuration: "0.01ms !important",
              animationIterationCount: "1 !important",
              transitionDuration: "0.01ms !important",
              scrollBehavior: "auto !important",
            },
          },
          "table, .tabular": { fontVariantNumeric: "tabular-nums" },
        },
      },
      // The library removes the browser's outline and shows the focus by its ripple, which is off.
      MuiButtonBase: {
        defaultProps: { disableRipple: true },
        styleOverrides: { root: { "&.Mui-focusVisible": ring(t.primary) } },
      },
      MuiMenuItem: { styleOverrides: { root: { "&.Mui-focusVisible": ringInside } } },
      MuiListItemButton: { styleOverrides: { root: { "&.Mui-focusVisible": ringInside } } },
      MuiCardActionArea: { styleOverrides: { root: { "&.Mui-focusVisible": ringInside } } },
      MuiAccordionSummary: { styleOverrides: { root: { "&.Mui-focusVisible": ringInside } } },
      MuiToggleButton: { styleOverrides: { root: { "&.Mui-focusVisible": { ...ringInside, zIndex: 1 } } } },
      MuiAutocomplete: {
        styleOverrides: {
          paper: { boxShadow: floatShadow, border: `1px solid ${t.line}` },
          option: { "&.Mui-focusVisible": { ...ring(t.primary), ...ringInside } },
        },
      },
      MuiSlider: { styleOverrides: { thumb: { "&.Mui-focusVisible": ring(t.primary) } } },
      // The input inside has the focus; the ring is around its visible part.
      MuiSwitch: {
        styleOverrides: {
          switchBase: {
            "&.Mui-focusVisible": { outline: "none" },
            "&.Mui-focusVisible + .MuiSwitch-track": ring(t.primary),
          },
        },
      },
      MuiButton: {
        defaultProps: { disableElevation: true },
        styleOverrides: {
          root: { borderRadius: radius.control, minHeight: 36, padding: "6px 16px" },
          sizeSmall: { minHeight: 30, padding: "3px 12px" },
          sizeLarge: { minHeight: 44, padding: "10px 24px", fontSize: 16 },
          outlined: { borderColor: t.line, "&:hover": { borderColor: t.primary, background: "transparent" } },
        },
      },
      MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: "none" } } },
      MuiCard: {
        defaultProps: { variant: "outlined" },
        styleOverrides: { root: { borderRadius: radius.card, borderColor: t.line } },
      },
      MuiDialog: {
        styleOverrides: {
          paper: {
            borderRadius: radius.card,
            boxShadow: floatShadow,
            border: mode === "dark" ? `1px solid ${t.line}` : 0,
            // its content scrolls, and its buttons stay in sight
            "& > form:has(> .MuiDialogContent-root)": {
              display: "flex",
              flexDirection: "column",
              minHeight: 0,
            },
          },
        },
      },
      MuiBackdrop: {
        styleOverrides: {
          root: { "&:not(.MuiBackdrop-invisible)": { backgroundColor: "rgba(11, 16, 32, 0.48)" } },
        },
      },
      MuiMenu: { styleOverrides: { paper: { boxShadow: floatShadow, border: `1px solid ${t.line}` } } },
      MuiPopover: { styleOverrides: { paper: { boxShadow: floatShadow, border: `1px solid ${t.line}` } } },
      MuiTooltip: {
        styleOverrides: { tooltip: { fontSize: 12, lineHeight: "18px", background: "#1B2130" } },
      },
      MuiTab: { styleOverrides: { root: { minHeight: 44, fontSize: 14, "&.Mui-focusVisible": ringInside } } },
      MuiLink: { defaultProps: { underline: "hover" } },
      MuiOutlinedInput: {
        styleOverrides: {
          root: {
            borderRadius: radius.control,
            background: t.card,
            "& .MuiOutlinedInput-notchedOutline": { borderColor: t.line },
            "&:hover .MuiOutlinedInput-notchedOutline": { borderColor: t.textThird },
            "&.Mui-focused .MuiOutlinedInput-notchedOutline": {
              borderWidth: 1,
              boxShadow: `0 0 0 1px ${t.primary}`,
            },
            "&.Mui-error.Mui-focused .MuiOutlinedInput-notchedOutline": {
              boxShadow: `0 0 0 1px ${t.danger}`,
            },
          },
          // the padding of a multi-line text is that of its input
          multiline: { padding: 0 },
          // fields and lists in a row have the same height, 40 px
          input: {
            padding: "9px 12px",
            height: 22,
            "&.MuiInputBase-inputMultiline": { height: "auto" },
            "&.MuiSelect-select": { minHeight: 22, lineHeight: "22px" },
          },
        },
      },
      MuiTableCell: {
        styleOverrides: {
          root: { borderColor: t.line, padding: "12px 16px" },
          head: { color: t.textSecond, fontWeight: 500 },
        },
      },
      MuiPagination: {
        defaultProps: {
          "aria-label": "分页",
          getItemAriaLabel: (type, page) => PAGE_WORDS[type] ?? `第 ${page} 页`,
        },
      },
      MuiSkeleton: { defaultProps: { animation: "wave" } },
    },
  });
}
