/** The document xlscene/1: the initial presentation of a work. The service has its schema, and accepts nothing else. */
import { z } from "zod";
import { withoutEval } from "@/lib/zod";
import type { StageView } from "./engine/stage";
import type { Staging } from "./engine/staging";

withoutEval();

const triple = z.tuple([z.number(), z.number(), z.number()]);
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/);
const maybe = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);

const scene = z.object({
  format: z.literal("xlscene"),
  version: z.literal(1),
  camera: maybe(
    z.object({
      start: maybe(z.object({ position: triple, target: triple, fov: maybe(z.number()) })),
      limits: maybe(
        z.object({
          /** in the model's own units */
          nearest: maybe(z.number().min(0)),
          farthest: maybe(z.number().min(0)),
          /** degrees above the ground */
          lowest: maybe(z.number().min(-90).max(90)),
          highest: maybe(z.number().min(-90).max(90)),
        }),
      ),
      autoRotate: maybe(z.boolean()),
    }),
  ),
  background: maybe(z.object({ color, to: maybe(color) })),
  environment: maybe(
    z.object({
      name: maybe(z.enum(["studio", "daylight", "sunset", "night", "neutral"])),
      exposure: maybe(z.number().min(0).max(8)),
      rotation: maybe(z.number().min(-360).max(360)),
    }),
  ),
  clip: maybe(z.string().max(128)),
});

export type Scene = z.infer<typeof scene>;
export type EnvironmentName = NonNullable<NonNullable<Scene["environment"]>["name"]>;

const EMPTY: Scene = { format: "xlscene", version: 1 };

const PRESETS: Readonly<Record<EnvironmentName, NonNullable<Staging["preset"]>>> = {
  studio: "studio",
  daylight: "day",
  sunset: "sunset",
  night: "contrast",
  neutral: "soft",
};

/** For any other or missing document: the viewer's defaults. */
export function readScene(text: string): Scene {
  if (!text) return EMPTY;
  try {
    const read = scene.safeParse(JSON.parse(text));
    return read.success ? read.data : EMPTY;
  } catch {
    return EMPTY;
  }
}

const known = <T extends object>(all: T): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;

export function stagingOf({ camera, environment, background, clip }: Scene): Staging {
  return known({
    view: camera?.start && viewOf(camera.start.position, camera.start.target),
    limits: camera?.limits && known(camera.limits),
    autoRotate: camera?.autoRotate,
    ground: background && known(background),
    preset: environment?.name && PRESETS[environment.name],
    exposure: environment?.exposure,
    turn: environment?.rotation,
    clip: clip || undefined,
  });
}

/** A view from two points; undefined if one is invalid. */
export function viewOf(position: readonly number[], target: readonly number[]): StageView | undefined {
  const eye = triple.safeParse(position);
  const at = triple.safeParse(target);
  return eye.success && at.success ? { eye: eye.data, target: at.data } : undefined;
}
