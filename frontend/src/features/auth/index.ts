export { AuthDialogHost } from "./AuthDialogHost";
export { LoginPage } from "./LoginPage";
