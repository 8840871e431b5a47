import Box from "@mui/material/Box";
import type { KeyboardEvent, ReactNode } from "react";

/** Camera movements of every stage. */
export interface CameraMoves {
  turn(azimuth: number, polar: number): void;
  pan(right: number, up: number): void;
  zoom(factor: number): void;
  reset(): void;
}

const TURN = Math.PI / 18;
const PAN = 0.08;
const ZOOM = 0.85;

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

type Pressed = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "preventDefault">;

/** Turns, moves or zooms on a key pressed on a stage; returns whether it handled the key. */
export function moveCamera(event: Pressed, camera: CameraMoves): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const arrow = arrows[event.key];
  if (arrow && event.shiftKey) camera.pan(arrow[0] * PAN, -arrow[1] * PAN);
  else if (arrow) camera.turn(arrow[0] * TURN, arrow[1] * TURN);
  else if (event.key === "+" || event.key === "=") camera.zoom(ZOOM);
  else if (event.key === "-" || event.key === "_") camera.zoom(1 / ZOOM);
  else if (event.key.toLowerCase() === "r") camera.reset();
  else return false;
  event.preventDefault();
  return true;
}

/** A focused stage has its ring inside and over everything: canvas and panels would cover an outline. */
export const stageFocus = {
  "&:focus-visible": { outline: "none" },
  "&:focus-visible::after": {
    content: '""',
    position: "absolute",
    zIndex: 6,
    inset: 0,
    border: "2px solid",
    borderColor: "primary.main",
    borderRadius: "inherit",
    pointerEvents: "none",
  },
  "&:focus-visible > [data-keys-hint]": { opacity: 1 },
} as const;

/** Lists the keys that move the camera; visible while the stage has the focus, and announced with its name. */
export function KeysHint({ id, top = 12, children }: { id: string; top?: number; children?: ReactNode }) {
  return (
    <Box
      id={id}
      data-keys-hint
      sx={{
        position: "absolute",
        zIndex: 4,
        top,
        left: "50%",
        transform: "translateX(-50%)",
        px: 1.5,
        py: 0.5,
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.92)",
        border: 1,
        borderColor: "divider",
        fontSize: 12,
        color: "text.secondary",
        textAlign: "center",
        opacity: 0,
        pointerEvents: "none",
        transition: "opacity 120ms",
      }}
    >
      {children ?? "方向键旋转　Shift + 方向键平移　+ − 缩放　R 复位"}
    </Box>
  );
}
