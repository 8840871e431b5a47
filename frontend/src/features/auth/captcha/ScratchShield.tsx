import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import type { AuthSliderChallengeReply } from "@/calls/auth";
import { captchaMessages } from "@/messages/auth";
import { type Sample, scratchSolution, strokeLength, strokeTime } from "./track";

interface Props {
  challenge: AuthSliderChallengeReply;
  locked: boolean;
  passed: boolean;
  onSubmit: (solution: string) => void;
  onFail: (message: string) => void;
}

/** Radius of the brush in picture pixels. */
const BRUSH = 18;
/** Shorter strokes uncover too little to be checked. */
const MIN_LENGTH = 40;
/** No user uncovers the shield by hand in less. */
export const MIN_SCRATCH_MS = 400;

/**
 * The second check: a shield under a frosted cover. Scratch it by pointer or touch, or move the brush with the arrow keys and
 * toggle it with the space bar.
 */
export function ScratchShield({ challenge, locked, passed, onSubmit, onFail }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const strokes = useRef<Sample[][]>([]);
  const started = useRef(0);
  const pointer = useRef<number | undefined>(undefined);
  const [brush, setBrush] = useState({ x: challenge.width / 2, y: challenge.height / 2, down: false });

  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    paintCover(context, challenge.width, challenge.height);
  }, [challenge.width, challenge.height]);

  const erase = (from: Sample, to: Sample) => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    context.globalCompositeOperation = "destination-out";
    context.strokeStyle = "#000";
    context.lineWidth = BRUSH * 2;
    context.lineCap = "round";
    context.lineJoin = "round";
    context.beginPath();
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
    context.stroke();
  };

  const time = (now: number) => {
    if (started.current === 0) started.current = now;
    return Math.round(now - started.current);
  };
  const begin = (x: number, y: number, now: number) => {
    const sample: Sample = [Math.round(x), Math.round(y), time(now)];
    strokes.current.push([sample]);
    erase(sample, sample);
  };
  const extend = (x: number, y: number, now: number) => {
    const stroke = strokes.current.at(-1);
    const last = stroke?.at(-1);
    if (!stroke || !last) return;
    const sample: Sample = [Math.round(x), Math.round(y), time(now)];
    if (Math.hypot(sample[0] - last[0], sample[1] - last[1]) < 2) return;
    stroke.push(sample);
    erase(last, sample);
  };
  const inPicture = (event: PointerEvent<HTMLCanvasElement>): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    const width = box.width || challenge.width;
    const height = box.height || challenge.height;
    return [
      ((event.clientX - box.left) / width) * challenge.width,
      ((event.clientY - box.top) / height) * challenge.height,
    ];
  };

  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (locked || pointer.current !== undefined) return;
    pointer.current = event.pointerId;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    begin(...inPicture(event), event.timeStamp);
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    if (pointer.current === event.pointerId) extend(...inPicture(event), event.timeStamp);
  };
  const onPointerEnd = (event: PointerEvent<HTMLCanvasElement>) => {
    if (pointer.current === event.pointerId) pointer.current = undefined;
  };

  const submit = () => {
    if (locked) return;
    if (strokeLength(strokes.current) < MIN_LENGTH) onFail(captchaMessages.notScratched);
    else if (strokeTime(strokes.current) < MIN_SCRATCH_MS) onFail(captchaMessages.tooFast);
    else onSubmit(scratchSolution(challenge.id, strokes.current));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (locked) return;
    if (event.key === "Enter") {
      event.preventDefault();
      submit();
      return;
    }
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-6, 0],
      ArrowRight: [6, 0],
      ArrowUp: [0, -6],
      ArrowDown: [0, 6],
    };
    const step = steps[event.key];
    if (!step && event.key !== " ") return;
    event.preventDefault();
    if (!step) {
      if (!brush.down) begin(brush.x, brush.y, event.timeStamp);
      setBrush({ ...brush, down: !brush.down });
      return;
    }
    const x = Math.min(challenge.width, Math.max(0, brush.x + step[0]));
    const y = Math.min(challenge.height, Math.max(0, brush.y + step[1]));
    if (brush.down) extend(x, y, event.timeStamp);
    setBrush({ ...brush, x, y });
  };

  return (
    <Box>
      <Box
        role="application"
        tabIndex={0}
        aria-label={`${captchaMessages.scratchHint}。方向键移动，空格键开始或停止刮，回车键提交`}
        onKeyDown={onKeyDown}
        sx={{
          position: "relative",
          aspectRatio: `${challenge.width} / ${challenge.height}`,
          overflow: "hidden",
          borderRadius: 1,
          "&:focus-visible .brush": { opacity: 1 },
        }}
      >
        <Box
          component="img"
          src={challenge.background}
          alt=""
          draggable={false}
          sx={{ display: "block", width: "100%", height: "100%" }}
        />
        <canvas
          ref={canvas}
          width={challenge.width}
          height={challenge.height}
          data-testid="scratch-cover"
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerEnd}
          onPointerCancel={onPointerEnd}
          style={{
            position: "absolute",
            inset: 0,
            width: "100%",
            height: "100%",
            touchAction: "none",
            cursor: "crosshair",
          }}
        />
        <Box
          className="brush"
          aria-hidden="true"
          style={{
            left: `${(brush.x / challenge.width) * 100}%`,
            top: `${(brush.y / challenge.height) * 100}%`,
          }}
          sx={{
            position: "absolute",
            width: 32,
            height: 32,
            m: "-16px",
            borderRadius: "50%",
            border: "2px solid",
            borderColor: brush.down ? "primary.main" : "common.white",
            opacity: 0,
            pointerEvents: "none",
          }}
        />
      </Box>
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          justifyContent: "space-between",
          mt: 1.5,
          minHeight: 36,
        }}
      >
        <Box component="span" sx={{ color: passed ? "success.main" : "text.secondary", fontSize: 13 }}>
          {passed ? captchaMessages.passed : captchaMessages.scratchHint}
        </Box>
        {!passed && (
          <Button type="button" variant="contained" size="small" disabled={locked} onClick={submit}>
            {captchaMessages.submit}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** Frosted, so that the shield shows through faintly. */
function paintCover(context: CanvasRenderingContext2D, width: number, height: number): void {
  context.globalCompositeOperation = "source-over";
  context.clearRect(0, 0, width, height);
  const gradient = context.createLinearGradient(0, 0, width, height);
  gradient.addColorStop(0, "rgba(206, 216, 233, 0.9)");
  gradient.addColorStop(1, "rgba(170, 184, 210, 0.9)");
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = "rgba(255, 255, 255, 0.35)";
  context.lineWidth = 1;
  for (let i = -height; i < width; i += 10) {
    context.beginPath();
    context.moveTo(i, height);
    context.lineTo(i + height, 0);
    context.stroke();
  }
}
