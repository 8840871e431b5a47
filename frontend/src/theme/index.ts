export { darkTheme } from "./dark";
export { theme } from "./light";
export * from "./tokens";
