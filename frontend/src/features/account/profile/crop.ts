/** Side of the saved avatar in pixels. */
export const AVATAR_SIDE = 512;
export const MAX_ZOOM = 4;

export interface Picture {
  width: number;
  height: number;
}

/** Centre of the crop in picture pixels; at `zoom` 1 the crop is as large as fits. */
export interface Crop {
  x: number;
  y: number;
  zoom: number;
}

/** Side of the cropped square in picture pixels. */
export const sideOf = ({ width, height }: Picture, zoom: number): number => Math.min(width, height) / zoom;

/** The nearest crop within the picture. */
export function within(picture: Picture, { x, y, zoom }: Crop): Crop {
  const kept = Math.min(Math.max(zoom, 1), MAX_ZOOM);
  const half = sideOf(picture, kept) / 2;
  const clamp = (value: number, most: number) => Math.min(Math.max(value, half), most - half);
  return { x: clamp(x, picture.width), y: clamp(y, picture.height), zoom: kept };
}

export const middleOf = ({ width, height }: Picture): Crop => ({ x: width / 2, y: height / 2, zoom: 1 });

/** Draws the crop as a square of `side` pixels. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop, side: number): void {
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (!context) return;
  const kept = sideOf(picture, crop.zoom);
  // Transparent pixels would turn black in a JPEG.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, crop.x - kept / 2, crop.y - kept / 2, kept, kept, 0, 0, side, side);
}

/** The avatar to save. Re-encoded as JPEG, it keeps nothing of the original file but pixels. */
export function cropped(picture: ImageBitmap, crop: Crop): Promise<File> {
  const canvas = document.createElement("canvas");
  drawCrop(canvas, picture, crop, AVATAR_SIDE);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => {
        if (blob) resolve(new File([blob], "avatar.jpg", { type: "image/jpeg" }));
        else reject(new Error("the picture could not be drawn"));
      },
      "image/jpeg",
      0.9,
    );
  });
}
