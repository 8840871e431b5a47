import { Vector2 } from "three";
import type { Stage } from "../engine/stage";

/** The longer side of an image, pixels. */
const LONG_SIDE = 2560;

/** Renders the view once at print resolution, and saves it as a PNG file. */
export async function saveImage(stage: Stage, fileName: string): Promise<void> {
  const { width, height } = stage.canvas;
  download(await pictureOf(stage, Math.max(LONG_SIDE, width, height), "image/png"), fileName);
}

/** Renders the view once, with the given longer side in pixels. */
export async function pictureOf(
  stage: Stage,
  longSide: number,
  type: "image/png" | "image/webp",
): Promise<Blob> {
  const { renderer } = stage;
  const size = renderer.getSize(new Vector2());
  const ratio = renderer.getPixelRatio();
  const limit = Math.min(longSide, renderer.capabilities.maxTextureSize);
  const scale = limit / Math.max(size.x, size.y);
  try {
    renderer.setPixelRatio(scale);
    renderer.setSize(size.x, size.y, false);
    stage.drawNow();
    const blob = await new Promise<Blob | null>((resolve) => renderer.domElement.toBlob(resolve, type));
    if (!blob) throw new Error("the browser could not encode the picture");
    return blob;
  } finally {
    renderer.setPixelRatio(ratio);
    renderer.setSize(size.x, size.y, false);
    stage.invalidate();
  }
}

function download(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
