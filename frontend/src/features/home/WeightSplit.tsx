import Box from "@mui/material/Box";
import { useEffect, useMemo, useRef, useState } from "react";
import { groupDigits } from "@/lib/digits";
import { formatBytes } from "@/ui/bytes";
import { drawMesh, knot, meshBytes } from "./mesh";

const FULL = { along: 160, around: 24 };
const STEPS = [
  { along: 128, around: 18 },
  { along: 96, around: 14 },
  { along: 72, around: 12 },
  { along: 54, around: 10 },
  { along: 40, around: 8 },
  { along: 28, around: 6 },
] as const;
const START = 3;

function Figure({ title, triangles, bytes, large }: FigureProps) {
  const size = large ? { xs: 24, md: 44 } : 20;
  return (
    <Box>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{title}</Box>
      <Box sx={{ fontSize: size, lineHeight: 1.3, fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
        {groupDigits(triangles)}
      </Box>
      <Box sx={{ fontSize: 14, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
        三角面 · {formatBytes(bytes)}
      </Box>
    </Box>
  );
}

interface FigureProps {
  title: string;
  triangles: number;
  bytes: number;
  large: boolean;
}

/**
 * One model at two weights, split by a draggable line: original on the left, with fewer triangles on the right. The figures are
 * counted from the two drawn meshes.
 */
export function WeightSplit({ wide = false }: { wide?: boolean }) {
  const [step, setStep] = useState(START);
  const [split, setSplit] = useState(50);
  const canvas = useRef<HTMLCanvasElement>(null);
  const full = useMemo(() => knot(FULL.along, FULL.around), []);
  const light = useMemo(() => {
    const chosen = STEPS[step] ?? STEPS[START];
    return knot(chosen.along, chosen.around);
  }, [step]);

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    let frame = 0;
    let visible = false;
    const started = performance.now();

    function draw(now: number) {
      if (!element || !context) return;
      const ratio = Math.min(window.devicePixelRatio || 1, 2);
      const width = element.clientWidth;
      const height = element.clientHeight;
      if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
        element.width = Math.round(width * ratio);
        element.height = Math.round(height * ratio);
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      const view = {
        yaw: still ? 0.5 : 0.5 + Math.sin((now - started) / 4200) * 0.55,
        pitch: 0.42,
        scale: Math.min(width, height) / 4.1,
        centre: { x: width / 2, y: height / 2 },
      };
      const line = (width * split) / 100;
      context.save();
      context.beginPath();
      context.rect(0, 0, line, height);
      context.clip();
      drawMesh(context, full, { ...view, colour: [70, 118, 255], edge: "rgba(11,16,32,.34)" });
      context.restore();
      context.save();
      context.beginPath();
      context.rect(line, 0, width - line, height);
      context.clip();
      drawMesh(context, light, { ...view, colour: [38, 186, 182], edge: "rgba(11,16,32,.34)" });
      context.restore();
    }
    function loop(now: number) {
      if (visible) draw(now);
      frame = window.requestAnimationFrame(loop);
    }
    const watcher = new IntersectionObserver(([entry]) => {
      visible = entry?.isIntersecting ?? false;
      if (visible) draw(still ? started : performance.now());
    });
    // Draws nothing while out of view: the two meshes take 100 ms on a phone.
    watcher.observe(element);
    if (!still) frame = window.requestAnimationFrame(loop);
    return () => {
      window.cancelAnimationFrame(frame);
      watcher.disconnect();
    };
  }, [full, light, split]);

  const fullTriangles = full.indices.length / 3;
  const lightTriangles = light.indices.length / 3;
  return (
    <Box
      sx={
        wide
          ? {
              display: "grid",
              alignItems: "center",
              columnGap: 8,
              gridTemplateColumns: { xs: "minmax(0,1fr)", md: "minmax(0,7fr) minmax(0,4fr)" },
            }
          : undefined
      }
    >
      <Box
        sx={{
          position: "relative",
          height: { xs: 300, md: wide ? 480 : 400 },
          borderRadius: 2,
          overflow: "hidden",
          background: "radial-gradient(120% 100% at 50% 20%, #1B2745 0%, #0B1020 70%)",
        }}
      >
        <canvas
          ref={canvas}
          style={{ width: "100%", height: "100%", display: "block" }}
          role="img"
          aria-label={`同一个模型：左侧 ${fullTriangles} 个三角面，右侧 ${lightTriangles} 个三角面`}
        />
        <Box
          aria-hidden="true"
          sx={{
            position: "absolute",
            top: 0,
            bottom: 0,
            left: `${split}%`,
            width: 2,
            ml: "-1px",
            backgroundColor: "rgba(255,255,255,.8)",
            "&::after": {
              content: '"⇆"',
              position: "absolute",
              top: "50%",
              left: "50%",
              width: 32,
              height: 32,
              lineHeight: "32px",
              textAlign: "center",
              borderRadius: "50%",
              transform: "translate(-50%,-50%)",
              backgroundColor: "#fff",
              color: "#1B2130",
              fontSize: 16,
            },
          }}
        />
        <Box
          component="input"
          type="range"
          min={8}
          max={92}
          value={split}
          aria-label="移动分界线"
          onChange={(event: React.ChangeEvent<HTMLInputElement>) => setSplit(Number(event.target.value))}
          sx={{
            position: "absolute",
            inset: 0,
            width: "100%",
            height: "100%",
            m: 0,
            opacity: 0,
            cursor: "ew-resize",
            touchAction: "pan-y",
          }}
        />
        {(["轻量前", "轻量后"] as const).map((word, side) => (
          <Box
            key={word}
            component="span"
            sx={{
              position: "absolute",
              top: 12,
              [side === 0 ? "left" : "right"]: 12,
              px: 1,
              fontSize: 12,
              lineHeight: "22px",
              borderRadius: "4px",
              color: "#E8ECF6",
              backgroundColor: "rgba(11,16,32,.6)",
              pointerEvents: "none",
            }}
          >
            {word}
          </Box>
        ))}
      </Box>
      <Box>
        <Box
          sx={{
            mt: wide ? { xs: 2, md: 0 } : 2,
            display: "grid",
            gap: wide ? { xs: 2, md: 4 } : 2,
            gridTemplateColumns: wide ? { xs: "1fr 1fr", md: "1fr" } : "1fr 1fr",
          }}
        >
          <Figure title="轻量前" triangles={fullTriangles} bytes={meshBytes(full)} large={wide} />
          <Figure title="轻量后" triangles={lightTriangles} bytes={meshBytes(light)} large={wide} />
        </Box>
        <Box component="label" sx={{ mt: wide ? { xs: 2, md: 5 } : 2, display: "block", fontSize: 14 }}>
          <Box
            component="span"
            sx={{ display: "flex", justifyContent: "space-between", color: "text.secondary" }}
          >
            <span>保留多少三角面</span>
            <Box component="span" sx={{ fontVariantNumeric: "tabular-nums" }}>
              {Math.round((lightTriangles / fullTriangles) * 100)}%
            </Box>
          </Box>
          <Box
            component="input"
            type="range"
            min={0}
            max={STEPS.length - 1}
            value={STEPS.length - 1 - step}
            onChange={(event: React.ChangeEvent<HTMLInputElement>) =>
              setStep(STEPS.length - 1 - Number(event.target.value))
            }
            sx={{ width: "100%", mt: 1, mx: 0, accentColor: "#1F5EFF" }}
          />
        </Box>
      </Box>
    </Box>
  );
}
