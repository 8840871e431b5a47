import { type KeyboardEvent, type PointerEvent, useState } from "react";
import type { Compare } from "../engine/Compare";

/** Pixels by which a key moves the lens. */
const STEP = 24;

const hasMouse = () =>
  typeof matchMedia === "function" && matchMedia("(hover: hover) and (pointer: fine)").matches;

export interface Lens {
  on: boolean;
  /** it was placed by a key or a finger and stays */
  held: boolean;
  toggle: () => void;
  onPointer: (event: PointerEvent<HTMLElement>) => void;
  onLeave: (event: PointerEvent<HTMLElement>) => void;
  /** returns whether the lens handled the key */
  onKey: (event: KeyboardEvent) => boolean;
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** Visibility of a comparison's lens, and its movement by the mouse, a finger or the arrow keys. */
export function useLens(engine: Compare | undefined): Lens {
  const [on, setOn] = useState(hasMouse);
  const [held, setHeld] = useState(false);

  const put = (shown: boolean, stays: boolean) => {
    setOn(shown);
    setHeld(shown && stays);
    if (!engine) return;
    engine.setLens(shown && stays ? (engine.state.get().lens ?? engine.middle) : undefined);
  };

  return {
    on,
    held,
    // with a mouse it appears under the pointer, otherwise at a default position
    toggle: () => put(!on, !hasMouse()),
    onPointer: (event) => {
      if (!engine || !on || event.pointerType !== "mouse") return;
      if ((event.target as HTMLElement).closest("[data-lens]")) return;
      if (held) setHeld(false);
      const box = event.currentTarget.getBoundingClientRect();
      const free =
        event.buttons === 0 && !(event.target as HTMLElement).closest("[role=slider], [role=toolbar]");
      engine.setLens(free ? { x: event.clientX - box.left, y: event.clientY - box.top } : undefined);
    },
    onLeave: (event) => {
      if (event.pointerType === "mouse" && !held) engine?.setLens(undefined);
    },
    onKey: (event) => {
      if (!engine) return false;
      if (event.key.toLowerCase() === "z") {
        put(!held, true);
      } else if (event.key === "Escape" && held) {
        put(false, false);
      } else {
        const step = arrows[event.key];
        const { lens } = engine.state.get();
        if (!step || !held || !lens) return false;
        if (event.shiftKey) {
          engine.stage.turn((Math.sign(step[0]) * Math.PI) / 18, (Math.sign(step[1]) * Math.PI) / 18);
        } else {
          engine.setLens({ x: lens.x + step[0], y: lens.y + step[1] });
        }
      }
      event.preventDefault();
      return true;
    },
  };
}
