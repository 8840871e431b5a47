import { act, render, screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { onTestFinished } from "vitest";
import { isPrivatePath } from "@/app/access";
import { Providers } from "@/app/Providers";
import AuthDialog from "@/features/auth/AuthDialog";
import { setNavigate } from "@/lib/navigation";
import { type AuthDialogStep, dialogOpened } from "@/session/dialog";
import { signedOut } from "@/session/slice";
import { type AppStore, createStore } from "@/store";
import { bindStore } from "@/store/current";
import type { Answer } from "./server";
import { startUser, type UserOptions } from "./user";

export interface Page {
  store: AppStore;
  user: UserEvent;
  /** Visited addresses. */
  visited: string[];
}

export function startStore(): AppStore {
  const store = createStore({ isPrivatePath });
  bindStore(store);
  // Timers and sockets of a session must not outlive its test.
  onTestFinished(() => {
    store.dispatch(signedOut());
  });
  return store;
}

export function renderPage(ui: ReactNode, options?: UserOptions): Page {
  const store = startStore();
  const visited: string[] = [];
  setNavigate((path) => visited.push(path));
  onTestFinished(() => setNavigate(undefined));
  render(<Providers store={store}>{ui}</Providers>);
  return { store, visited, user: startUser(options) };
}

/** The login dialog, open at one of its steps. */
export function renderDialog(
  step: AuthDialogStep,
  options: { returnURL?: string; user?: UserOptions } = {},
): Page {
  const page = renderPage(<AuthDialog />, options.user);
  act(() => {
    page.store.dispatch(dialogOpened({ step, returnURL: options.returnURL }));
  });
  return page;
}

let challenges = 0;

/** A puzzle of the server; the picture does not matter here. */
export function puzzle(kind: "slide" | "scratch" | "question", expiresAt = Date.now() + 120_000): Answer {
  challenges += 1;
  const picture = "data:image/png;base64,";
  return {
    datas: {
      id: `challenge-${challenges}`,
      kind,
      width: 320,
      height: 160,
      background: picture,
      piece: kind === "slide" ? picture : "",
      pieceWidth: 48,
      pieceHeight: 48,
      pieceY: 60,
      path: kind === "slide" ? [0, 60, 272, 60] : [],
      question: kind === "question" ? "十一加三等于多少？" : "",
      expiresAt,
    },
  };
}

/** Answers of a server whose slider accepts every solution. */
export const passing = {
  sliderChallenge: ({ form }: { form: Record<string, string> }) =>
    puzzle(form.kind === "scratch" ? "scratch" : "slide"),
  getAliyunAcs: ({ form }: { form: Record<string, string> }) => ({ datas: assessed(form, 400) }),
} as const;

/** 100 for every solution; for the query whether the slider is needed `needed`, or 100 with the ticket of a pass. */
export function assessed(form: Record<string, string>, needed: number): number {
  const solution = JSON.parse(form.nvcdata ?? "{}") as { scene?: string; ticket?: string };
  return solution.scene && !solution.ticket ? needed : 100;
}

/** Moves the piece by keyboard and submits. */
export async function solveSlider(user: UserEvent): Promise<void> {
  const handle = await screen.findByRole("slider");
  act(() => handle.focus());
  await user.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}{Enter}");
}
