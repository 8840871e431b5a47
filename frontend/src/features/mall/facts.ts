import { z } from "zod";
import { withoutEval } from "@/lib/zod";

withoutEval();

const count = z.number().catch(0);
const list = <T extends z.ZodType>(item: T) => z.array(item).catch([]);

/** Most sentences tell their number themselves. */
const withCount = (message: string, places: number): string =>
  places > 1 && !/\d/.test(message) ? `${message}（${places.toLocaleString("zh-CN")} 处）` : message;

/** Result of the engine, parsed leniently: an older or newer engine may leave a field out. */
const facts = z.object({
  vertices: count,
  meshes: count,
  materials: count,
  textures: list(z.object({ uses: list(z.string()), width: count, height: count, bytes: count })),
  textureCount: count,
  animations: list(z.object({ name: z.string().catch(""), seconds: count })),
  animationCount: count,
  skins: count,
  morphTargets: count,
  boundingBox: z
    .object({ size: z.tuple([z.number(), z.number(), z.number()]) })
    .optional()
    .catch(undefined),
  // Engines that did not tell it have marked every proxy.
  proxy: z
    .object({ triangles: count, marked: z.boolean().catch(true) })
    .nullish()
    .catch(null),
  // Undefined if they are not known: an empty list says that there are none. Places and advice are for the maker.
  problems: z
    .array(
      z
        .object({
          code: z.string().catch(""),
          severity: z.enum(["error", "warning", "info"]).catch("info"),
          where: z.string().catch(""),
          message: z.string(),
          advice: z.string().catch(""),
          count,
        })
        .transform(({ count: places, ...problem }) => ({
          ...problem,
          message: withCount(problem.message, places),
        })),
    )
    .optional()
    .catch(undefined),
});

export type Facts = z.infer<typeof facts>;

export function readFacts(text: string): Facts {
  let value: unknown = {};
  try {
    value = JSON.parse(text);
  } catch {
    // treated as an empty result
  }
  const read = facts.safeParse(value);
  return read.success ? read.data : facts.parse({});
}
