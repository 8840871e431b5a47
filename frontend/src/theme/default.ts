/** The library's default theme: ours, so that the library does not make one of its own before the first page. */
export { theme as default } from "./light";
