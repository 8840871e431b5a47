import { sessionStore } from "@/lib/storage";
import type { AuthDialogStep } from "@/session/dialog";

/** The steps that follow a registration and are offered once. */
type Following = "interest" | "promotion";

interface Kept {
  step: Following;
  loginId: string;
  path: string;
}

const KEY = "xuanlan.afterRegistration";

/** Keeps the step of a registration that a reload of this page must not skip; any other step ends it. */
export function keepStep(step: AuthDialogStep, loginId: string): void {
  if (loginId && (step === "interest" || step === "promotion"))
    sessionStore.set(KEY, JSON.stringify({ step, loginId, path: window.location.pathname } satisfies Kept));
  else forgetStep();
}

export function forgetStep(): void {
  sessionStore.remove(KEY);
}

/** The step at which this page was reloaded, if it was this user's. */
export function keptStep(loginId: string): Following | undefined {
  try {
    const kept = JSON.parse(sessionStore.get(KEY) ?? "null") as Kept | null;
    return kept && loginId && kept.loginId === loginId && kept.path === window.location.pathname
      ? kept.step
      : undefined;
  } catch {
    return undefined;
  }
}
