import Box from "@mui/material/Box";
import { type PointerEvent, useEffect, useRef } from "react";
import type { Compare, LensPlace } from "../engine/Compare";

const label = {
  position: "absolute",
  bottom: 26,
  px: 0.75,
  borderRadius: 1,
  bgcolor: "rgba(11,16,32,.72)",
  fontSize: 11,
  lineHeight: "16px",
} as const;

/** The lens: both models magnified at one place. It follows the mouse; without one it is dragged or moved by keys. */
export function CompareLens({
  engine,
  place,
  radius,
  held,
}: {
  engine: Compare;
  place: LensPlace;
  radius: number;
  /** it stays where it was put and can be dragged */
  held: boolean;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const grip = useRef<LensPlace>({ x: 0, y: 0 });
  useEffect(() => {
    const { lensCanvas } = engine;
    lensCanvas.style.cssText = "display:block;width:100%;height:100%";
    lensCanvas.setAttribute("aria-hidden", "true");
    holder.current?.prepend(lensCanvas);
    return () => lensCanvas.remove();
  }, [engine]);
  const { by, exact } = engine.power;
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    engine.setLens({ x: event.clientX - grip.current.x, y: event.clientY - grip.current.y });
  };
  return (
    <Box
      ref={holder}
      data-lens
      onPointerDown={(event) => {
        grip.current = { x: event.clientX - place.x, y: event.clientY - place.y };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      sx={{
        position: "absolute",
        zIndex: 2,
        left: 0,
        top: 0,
        width: radius * 2,
        height: radius * 2,
        borderRadius: "50%",
        overflow: "hidden",
        border: "2px solid rgba(232,236,246,.9)",
        boxShadow: "0 0 0 1px rgba(11,16,32,.6), 0 12px 32px rgba(0,0,0,.45)",
        cursor: held ? "grab" : "none",
        pointerEvents: held ? "auto" : "none",
        touchAction: "none",
        color: "text.primary",
        "&::after": {
          content: '""',
          position: "absolute",
          left: "50%",
          top: 0,
          bottom: 0,
          width: "1px",
          bgcolor: "rgba(232,236,246,.6)",
        },
      }}
      style={{ transform: `translate(${place.x - radius}px, ${place.y - radius}px)` }}
    >
      <Box sx={{ ...label, right: "calc(50% + 6px)" }}>前</Box>
      <Box sx={{ ...label, left: "calc(50% + 6px)" }}>后</Box>
      <Box sx={{ ...label, bottom: 6, left: "50%", transform: "translateX(-50%)", zIndex: 1 }}>
        {exact ? `贴图 1:1　${by.toFixed(1)}×` : `${by.toFixed(1)}×`}
      </Box>
    </Box>
  );
}
