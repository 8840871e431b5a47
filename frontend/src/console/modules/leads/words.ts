import type { Word } from "../../kit/choices";

export const STATES: readonly Word[] = [
  { value: "new", text: "待联系", tone: "warning" },
  { value: "contacted", text: "已联系", tone: "info" },
  { value: "closed", text: "已办结" },
];

/** Possible next states; the state itself only saves the note. */
export const next = (state: string): readonly Word[] =>
  STATES.slice(
    Math.max(
      0,
      STATES.findIndex(({ value }) => value === state),
    ),
  );

export const pathOf = (id: string): string => `/leads/${encodeURIComponent(id)}`;
