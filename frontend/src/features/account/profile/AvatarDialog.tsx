import Box from "@mui/material/Box";
import Slider from "@mui/material/Slider";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { FormDialog } from "@/ui/FormDialog";
import { type Crop, cropped, drawCrop, MAX_ZOOM, middleOf, sideOf, within } from "./crop";

const FRAME = 240;
const STEP = 0.04;

/** Crops the avatar: drag or use the arrow keys to move, the slider, the wheel or + and − to zoom. */
export function AvatarDialog({
  picture,
  busy,
  onSave,
  onClose,
}: {
  picture: ImageBitmap;
  busy: boolean;
  onSave: (file: File) => void;
  onClose: () => void;
}) {
  const [crop, setCrop] = useState<Crop>(() => middleOf(picture));
  const move = (to: Partial<Crop>) => setCrop((before) => within(picture, { ...before, ...to }));

  return (
    <FormDialog
      title="裁剪头像"
      note="拖动图片或用方向键移动，用滑块缩放"
      confirmText="保存头像"
      busy={busy}
      onSubmit={() => void cropped(picture, crop).then(onSave)}
      onClose={onClose}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3, justifyContent: "center" }}>
        <Frame picture={picture} crop={crop} onMove={move} />
        <Box
          sx={{ display: "flex", flexDirection: { xs: "row", sm: "column" }, alignItems: "center", gap: 2 }}
        >
          {[80, 36].map((size) => (
            <Drawn key={size} picture={picture} crop={crop} size={size} />
          ))}
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>预览</Box>
        </Box>
      </Box>
      <Slider
        aria-label="缩放"
        min={1}
        max={MAX_ZOOM}
        step={0.01}
        value={crop.zoom}
        onChange={(_event, value) => move({ zoom: value as number })}
        sx={{ mt: 2 }}
      />
    </FormDialog>
  );
}

interface FrameProps {
  picture: ImageBitmap;
  crop: Crop;
  onMove: (to: Partial<Crop>) => void;
}

function Frame({ picture, crop, onMove }: FrameProps) {
  const from = useRef<{ x: number; y: number; crop: Crop }>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const zoom = useRef(onMove);
  const now = useRef(crop);
  useEffect(() => {
    zoom.current = onMove;
    now.current = crop;
  });
  // React registers wheel listeners as passive: they cannot prevent the page from scrolling.
  useEffect(() => {
    const element = frame.current;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom.current({ zoom: now.current.zoom * Math.exp(-event.deltaY / 600) });
    };
    element?.addEventListener("wheel", wheel, { passive: false });
    return () => element?.removeEventListener("wheel", wheel);
  }, []);

  const grab = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, y: event.clientY, crop };
  };
  const drag = (event: PointerEvent) => {
    const start = from.current;
    if (!start) return;
    const scale = sideOf(picture, start.crop.zoom) / FRAME;
    onMove({
      x: start.crop.x - (event.clientX - start.x) * scale,
      y: start.crop.y - (event.clientY - start.y) * scale,
    });
  };
  const press = (event: KeyboardEvent) => {
    const step = sideOf(picture, crop.zoom) * STEP;
    const moves: Record<string, Partial<Crop>> = {
      ArrowLeft: { x: crop.x - step },
      ArrowRight: { x: crop.x + step },
      ArrowUp: { y: crop.y - step },
      ArrowDown: { y: crop.y + step },
      "+": { zoom: crop.zoom + 0.1 },
      "=": { zoom: crop.zoom + 0.1 },
      "-": { zoom: crop.zoom - 0.1 },
    };
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    onMove(to);
  };

  return (
    <Box
      ref={frame}
      role="application"
      tabIndex={0}
      aria-label="裁剪范围，用方向键移动，加号和减号缩放"
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={() => {
        from.current = undefined;
      }}
      onKeyDown={press}
      sx={{
        position: "relative",
        width: FRAME,
        height: FRAME,
        overflow: "hidden",
        borderRadius: 1,
        cursor: "grab",
        touchAction: "none",
        "&:active": { cursor: "grabbing" },
        // The visible circle within the saved square.
        "&::after": {
          content: '""',
          position: "absolute",
          inset: 0,
          borderRadius: "50%",
          boxShadow: "0 0 0 9999px rgba(11, 16, 32, .48)",
          pointerEvents: "none",
        },
      }}
    >
      <Drawn picture={picture} crop={crop} size={FRAME} square />
    </Box>
  );
}

function Drawn({
  picture,
  crop,
  size,
  square = false,
}: {
  picture: ImageBitmap;
  crop: Crop;
  size: number;
  square?: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop, size * 2);
  }, [picture, crop, size]);
  return (
    <Box
      component="canvas"
      ref={canvas}
      aria-hidden="true"
      sx={{ display: "block", width: size, height: size, borderRadius: square ? 0 : "50%" }}
    />
  );
}
