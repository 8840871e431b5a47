import Box from "@mui/material/Box";
import Popper from "@mui/material/Popper";
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";

/** Milliseconds: a passing pointer loads nothing, a finger has to rest. */
const HOVER = 180;
const PRESS = 450;
const SIZE = 200;

/**
 * Shows the model turning over `children` while they are hovered or focused, or a finger rests there. The
 * picture is loaded only then; with reduced motion none is shown.
 */
export function Turntable({ src, children }: { src: string | null | undefined; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const timer = useRef<number | undefined>(undefined);
  const [shown, setShown] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const hide = () => {
    window.clearTimeout(timer.current);
    setShown(false);
    setLoaded(false);
  };
  const showAfter = (delay: number) => {
    window.clearTimeout(timer.current);
    if (!src || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    timer.current = window.setTimeout(() => setShown(true), delay);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const pointer = (event: PointerEvent, touch: boolean) => (event.pointerType === "touch") === touch;
  return (
    <Box
      ref={place}
      onPointerEnter={(event) => pointer(event, false) && showAfter(HOVER)}
      onPointerLeave={hide}
      onPointerDown={(event) => pointer(event, true) && showAfter(PRESS)}
      onPointerUp={(event) => pointer(event, true) && hide()}
      onPointerCancel={hide}
      // A long press would otherwise open the browser's menu over the picture.
      onContextMenu={(event) => shown && event.preventDefault()}
      onFocus={() => showAfter(HOVER)}
      onBlur={hide}
      onKeyDown={(event) => event.key === "Escape" && hide()}
      sx={{ display: "flex", gap: 1.5, alignItems: "center", minWidth: 0 }}
    >
      {children}
      {src && shown && (
        <Popper
          open
          anchorEl={place.current}
          placement="bottom-start"
          aria-hidden
          sx={{ zIndex: "tooltip", pointerEvents: "none" }}
        >
          <Box
            sx={(theme) => ({
              width: SIZE,
              height: SIZE,
              mt: 0.5,
              borderRadius: 2,
              border: 1,
              borderColor: "divider",
              bgcolor: theme.tokens.ground,
              boxShadow: 4,
              overflow: "hidden",
              opacity: loaded ? 1 : 0,
            })}
          >
            <img
              src={src}
              alt=""
              width={SIZE}
              height={SIZE}
              onLoad={() => setLoaded(true)}
              onError={hide}
              style={{ display: "block" }}
            />
          </Box>
        </Popper>
      )}
    </Box>
  );
}
