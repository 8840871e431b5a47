export { darkTheme } from "./dark";
export { goldButton, golden } from "./gold";
export { theme } from "./light";
export * from "./tokens";
