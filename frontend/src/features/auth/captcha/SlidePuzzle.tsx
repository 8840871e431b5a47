import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { type KeyboardEvent, type PointerEvent, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { AuthSliderChallengeReply } from "@/calls/auth";
import { captchaMessages } from "@/messages/auth";
import { heightOn } from "./path";
import { slideSolution, Track } from "./track";

interface Props {
  challenge: AuthSliderChallengeReply;
  /** While it is being checked or after it passed, the piece does not move. */
  locked: boolean;
  passed: boolean;
  onSubmit: (solution: string) => void;
}

/** Width of the handle: covered by a thumb. */
const HANDLE = 64;
const HEIGHT = 52;

/**
 * The picture with its gaps and the piece, which the handle below moves along its path, up and down past all of them. Drag it, or
 * move it by the arrow keys (Shift: ten pixels) and press Enter.
 */
export function SlidePuzzle({ challenge, locked, passed, onSubmit }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [shownWidth, setShownWidth] = useState(challenge.width);
  // Left edge of the piece in picture pixels.
  const [x, setX] = useState(0);
  const drag = useRef<{ pointer: number; startX: number; startY: number; from: number } | undefined>(
    undefined,
  );
  const track = useRef(new Track());
  const furthest = Math.max(1, challenge.width - challenge.pieceWidth);
  const scale = shownWidth / challenge.width;
  const travel = Math.max(1, shownWidth - HANDLE);

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setShownWidth(element.clientWidth || challenge.width);
    measure();
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [challenge.width]);

  const clamp = useCallback((value: number) => Math.min(furthest, Math.max(0, value)), [furthest]);

  const finish = (value: number) => onSubmit(slideSolution(challenge.id, value, track.current.samples));

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (locked || drag.current) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    drag.current = { pointer: event.pointerId, startX: event.clientX, startY: event.clientY, from: x };
    track.current.begin(x, 0, event.timeStamp);
  };
  const place = (event: PointerEvent<HTMLDivElement>): number | undefined => {
    const start = drag.current;
    if (!start || start.pointer !== event.pointerId) return undefined;
    const value = clamp(start.from + ((event.clientX - start.startX) / travel) * furthest);
    track.current.add(value, (event.clientY - start.startY) / scale, event.timeStamp);
    setX(value);
    return value;
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const value = place(event);
    if (value === undefined) return;
    drag.current = undefined;
    // A click without movement is no attempt.
    if (value > 1) finish(value);
  };
  const onPointerCancel = () => {
    drag.current = undefined;
    setX(0);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (locked) return;
    const step = event.shiftKey ? 10 : 2;
    const moves: Record<string, number> = {
      ArrowRight: x + step,
      ArrowUp: x + step,
      ArrowLeft: x - step,
      ArrowDown: x - step,
      Home: 0,
      End: furthest,
    };
    const target = moves[event.key];
    if (target !== undefined) {
      event.preventDefault();
      if (track.current.empty) track.current.begin(x, 0, event.timeStamp);
      const value = clamp(target);
      track.current.add(value, 0, event.timeStamp);
      setX(value);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (x > 0) finish(x);
    }
  };

  const path = challenge.path ?? [];
  const y = path.length > 0 ? heightOn(path, x) : challenge.pieceY;
  const left = (x / furthest) * travel;
  const tone = passed ? "success.main" : "primary.main";
  return (
    <Box>
      <Typography sx={{ fontSize: 14, lineHeight: "20px", mb: 1 }}>{captchaMessages.pictureHint}</Typography>
      <Box
        ref={frame}
        sx={{
          position: "relative",
          aspectRatio: `${challenge.width} / ${challenge.height}`,
          overflow: "hidden",
          borderRadius: 1,
          bgcolor: "background.default",
          userSelect: "none",
        }}
      >
        <Box
          component="img"
          src={challenge.background}
          alt=""
          draggable={false}
          sx={{ display: "block", width: "100%", height: "100%" }}
        />
        <Box
          component="img"
          src={challenge.piece}
          alt=""
          draggable={false}
          data-testid="slider-piece"
          style={{
            left: x * scale,
            top: y * scale,
            width: challenge.pieceWidth * scale,
            height: challenge.pieceHeight * scale,
          }}
          sx={{
            position: "absolute",
            filter: "drop-shadow(0 3px 6px rgba(11,16,32,.55))",
            pointerEvents: "none",
          }}
        />
      </Box>
      <Box
        sx={{
          position: "relative",
          height: HEIGHT,
          mt: 1.5,
          border: 1,
          borderColor: passed ? "success.main" : "divider",
          borderRadius: 1,
          bgcolor: "background.default",
          userSelect: "none",
          overflow: "hidden",
        }}
      >
        <Box
          aria-hidden="true"
          style={{ width: left + HANDLE / 2 }}
          sx={{ position: "absolute", inset: "0 auto 0 0", bgcolor: tone, opacity: 0.12 }}
        />
        <Box
          aria-hidden="true"
          sx={{
            position: "absolute",
            inset: 0,
            // Beside the handle, on the side that has room.
            ...(left > travel / 2 ? { right: HANDLE } : { left: HANDLE }),
            display: "grid",
            placeItems: "center",
            color: passed ? "success.main" : "text.secondary",
            fontSize: 13,
            opacity: passed || x < 2 ? 1 : 0,
            transition: "opacity 120ms",
          }}
        >
          {passed ? captchaMessages.passed : captchaMessages.slideHint}
        </Box>
        <Box
          role="slider"
          tabIndex={0}
          aria-label={captchaMessages.slideHint}
          aria-valuemin={0}
          aria-valuemax={furthest}
          aria-valuenow={Math.round(x)}
          aria-disabled={locked}
          onPointerDown={onPointerDown}
          onPointerMove={place}
          onPointerUp={onPointerUp}
          onPointerCancel={onPointerCancel}
          onKeyDown={onKeyDown}
          style={{ transform: `translateX(${left}px)` }}
          sx={{
            position: "absolute",
            top: -1,
            left: 0,
            width: HANDLE,
            height: HEIGHT,
            display: "grid",
            placeItems: "center",
            borderRadius: 1,
            bgcolor: tone,
            color: "#fff",
            cursor: locked ? "default" : "grab",
            touchAction: "none",
            "&:active": { cursor: locked ? "default" : "grabbing" },
            "&:focus-visible": { outlineOffset: -4, outlineColor: "#fff" },
          }}
        >
          {passed ? <TickIcon /> : <ArrowsIcon />}
        </Box>
      </Box>
    </Box>
  );
}

function ArrowsIcon() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      <path d="m5 5 5 5-5 5M11 5l5 5-5 5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

function TickIcon() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <path d="m4 10.5 4 4 8-9" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
