/** Side of the saved avatar in pixels. */
export const AVATAR_SIDE = 512;
export const MAX_ZOOM = 4;

export interface Picture {
  width: number;
  height: number;
}

/** Middle of what is kept, in pixels of the picture, and how often it is magnified over filling the frame. */
export interface Crop {
  x: number;
  y: number;
  zoom: number;
}

/** Side of the square that is kept, in pixels of the picture. */
export const sideOf = ({ width, height }: Picture, zoom: number): number => Math.min(width, height) / zoom;

/** The nearest crop that lies within the picture. */
export function within(picture: Picture, { x, y, zoom }: Crop): Crop {
  const kept = Math.min(Math.max(zoom, 1), MAX_ZOOM);
  const half = sideOf(picture, kept) / 2;
  const clamp = (value: number, most: number) => Math.min(Math.max(value, half), most - half);
  return { x: clamp(x, picture.width), y: clamp(y, picture.height), zoom: kept };
}

export const middleOf = ({ width, height }: Picture): Crop => ({ x: width / 2, y: height / 2, zoom: 1 });

/** Draws what is kept as a square of `side` pixels. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop, side: number): void {
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (!context) return;
  const kept = sideOf(picture, crop.zoom);
  // What was transparent would turn black in a JPEG.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, crop.x - kept / 2, crop.y - kept / 2, kept, kept, 0, 0, side, side);
}

/** The saved avatar; a JPEG holds nothing of the original file but its pixels. */
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
