import { sessionStore } from "@/lib/storage";

const KEY = "xuanlan.loginEnded";

/** That the server no longer accepted this page's login, for the sign-in page to which it leads. */
export const ended = {
  mark: () => sessionStore.set(KEY, "1"),
  marked: () => sessionStore.get(KEY) !== null,
  forget: () => sessionStore.remove(KEY),
};
