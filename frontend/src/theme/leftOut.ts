/**
 * Stands in the production bundle for parts of libraries that every page would load and none uses:
 * @mui/material's themes on CSS variables (ours are plain objects) and its ripple (the theme turns it
 * off), and @emotion/react's `withTheme`. See `leftOut` in webpack.config.mjs.
 */
export default function leftOut(): never {
  throw new Error("This part of a library is left out of the bundle: see webpack.config.mjs");
}

export {
  leftOut as CssVarsProvider,
  leftOut as Experimental_CssVarsProvider,
  leftOut as getInitColorSchemeScript,
  leftOut as useColorScheme,
};
