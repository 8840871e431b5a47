/** Whether the main pointer is a finger: no hovering, and usually no keyboard. */
export const touches = (): boolean => window.matchMedia("(pointer: coarse)").matches;
