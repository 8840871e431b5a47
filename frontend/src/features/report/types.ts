import { z } from "zod";
import { withoutEval } from "@/lib/zod";

withoutEval();

/**
 * The engine's report on a model. Parsed leniently: an older or newer engine may leave a field out, and an invalid field does not
 * discard the rest.
 */
const count = z.number().catch(0);
const text = z.string().catch("");
const names = z.array(z.string()).catch([]);
const list = <T extends z.ZodType>(item: T) => z.array(item).catch([]);

const vector = z.tuple([z.number(), z.number(), z.number()]).catch([0, 0, 0]);

const statistics = z.object({
  nodes: count,
  meshes: count,
  primitives: count,
  triangles: count,
  vertices: count,
  lines: count,
  points: count,
  materials: count,
  textures: count,
  texturePixels: count,
  textureBytes: count,
  skins: count,
  morphTargets: count,
  animations: count,
  animationSeconds: count,
});

const problem = z.object({
  code: text,
  severity: z.enum(["error", "warning", "info"]).catch("info"),
  where: text,
  message: text,
  advice: text,
});

const checkReport = z.object({
  engine: text,
  format: text,
  fileSize: count,
  mainFile: text,
  score: count,
  modelNum: count,
  hasAnimation: z.boolean().catch(false),
  statistics: statistics.catch(() => statistics.parse({})),
  boundingBox: z.object({ size: vector }).catch({ size: [0, 0, 0] }),
  units: z
    .object({ source: text, metersPerUnit: count, upAxis: text })
    .catch({ source: "", metersPerUnit: 1, upAxis: "Y" }),
  materials: list(
    z.object({
      name: text,
      baseColor: z.array(z.number()).catch([1, 1, 1, 1]),
      metallic: count,
      roughness: count,
      alphaMode: text,
      doubleSided: z.boolean().catch(false),
      textures: names,
    }),
  ),
  textures: list(
    z.object({ name: text, width: count, height: count, mimeType: text, bytes: count, uses: names }),
  ),
  animations: list(z.object({ name: text, seconds: count, channels: count })),
  problems: list(problem),
  recommendation: z
    .object({ text, lightweight: z.boolean().catch(false), ratio: z.number().nullish().catch(null) })
    .catch({ text: "", lightweight: false, ratio: null }),
});

const figures = z
  .object({ bytes: count, triangles: count, vertices: count, textures: count, textureBytes: count })
  .catch({ bytes: 0, triangles: 0, vertices: 0, textures: 0, textureBytes: 0 });

const resultReport = z.object({
  input: figures,
  output: figures,
  target: z.object({ kind: text, value: count }).optional().catch(undefined),
  reached: z.boolean().optional().catch(undefined),
  ratio: z.number().optional().catch(undefined),
  error: z.number().optional().catch(undefined),
  seconds: z.number().optional().catch(undefined),
  format: z.string().optional().catch(undefined),
  problems: list(problem),
});

export type CheckReport = z.infer<typeof checkReport>;
export type ResultReport = z.infer<typeof resultReport>;
export type Problem = z.infer<typeof problem>;
export type Figures = z.infer<typeof figures>;

/** The engine's report on a tileset. */
const tilesReport = z.object({
  kind: z.enum(["oblique", "mesh"]).catch("mesh"),
  output: z.object({ tiles: count, depth: count, files: count, bytes: count, triangles: count }),
  georeference: z
    .object({ srs: text, longitude: count, latitude: count, height: count })
    .nullable()
    .catch(null),
  seconds: z.number().optional().catch(undefined),
  problems: list(problem),
});

export type TilesReport = z.infer<typeof tilesReport>;

export function readTilesReport(value: unknown): TilesReport | undefined {
  const parsed = tilesReport.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

export function readCheckReport(value: unknown): CheckReport | undefined {
  const parsed = checkReport.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

export function readResultReport(value: unknown): ResultReport | undefined {
  const parsed = resultReport.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
