import { waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { expect } from "vitest";

export type UserOptions = Parameters<typeof userEvent.setup>[0];

/** A user whose clicks wait until the element accepts them: a button is disabled while its page is loading. */
export function startUser(options?: UserOptions): UserEvent {
  const user = userEvent.setup(options);
  const ready = async (element: Element) => {
    const takesClicks = () => getComputedStyle(element).pointerEvents !== "none";
    if (!takesClicks()) await waitFor(() => expect(takesClicks()).toBe(true));
  };
  return {
    ...user,
    click: async (element) => {
      await ready(element);
      await user.click(element);
    },
  };
}
