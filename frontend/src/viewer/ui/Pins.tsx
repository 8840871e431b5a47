import ButtonBase from "@mui/material/ButtonBase";
import { useEffect, useRef } from "react";
import type { Pin } from "../engine/staging";
import type { Viewer } from "../engine/Viewer";

/** Labels over the stage that follow their places; those behind the model are pale. */
export function Pins({
  viewer,
  pins,
  chosen,
  onChoose,
}: {
  viewer: Viewer;
  pins: readonly Pin[];
  chosen?: string;
  onChoose?: (id: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop = () => {};
    void import("three").then(({ Vector3 }) => {
      const points = new Map(pins.map(({ id, spot }) => [id, new Vector3(...spot.at)]));
      const place = () => {
        for (const mark of box.current?.querySelectorAll<HTMLElement>("[data-pin]") ?? []) {
          const point = points.get(mark.dataset.pin ?? "");
          if (!point) continue;
          const { x, y, visible } = viewer.project(point);
          mark.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
          mark.style.visibility = visible ? "visible" : "hidden";
          mark.style.opacity = viewer.sees(point) ? "1" : "0.35";
        }
        return false;
      };
      viewer.stage.tickers.add(place);
      viewer.stage.invalidate();
      stop = () => viewer.stage.tickers.delete(place);
    });
    return () => stop();
  }, [viewer, pins]);
  return (
    <div ref={box} style={{ position: "absolute", inset: 0, overflow: "hidden", pointerEvents: "none" }}>
      {pins.map((pin) => (
        <ButtonBase
          key={pin.id}
          data-pin={pin.id}
          disableRipple
          aria-label={pin.label}
          aria-pressed={pin.id === chosen}
          onClick={() => {
            if (pin.view) viewer.goToView(pin.view);
            onChoose?.(pin.id);
          }}
          sx={{
            position: "absolute",
            top: 0,
            left: 0,
            visibility: "hidden",
            pointerEvents: "auto",
            minWidth: 28,
            height: 28,
            px: 0.75,
            borderRadius: 14,
            fontSize: 12,
            fontWeight: 600,
            color: "#fff",
            border: "2px solid #fff",
            backgroundColor: pin.id === chosen ? "#1749D1" : "#0B1020",
            transition: "opacity 120ms ease-out",
          }}
        >
          {pin.text}
        </ButtonBase>
      ))}
    </div>
  );
}
