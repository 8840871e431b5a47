/**
 * Results of the engine on public models, as in docs/benchmarks-engine.md: a test compares the two. Sizes are in millions of
 * bytes.
 */
export const MEASURED = {
  /** real4_1.4M.glb to 10 % of its triangles */
  scan: { before: 29.99, after: 0.447, triangles: 1_439_640, seconds: 1.7, errorPercent: 0.0021 },
  /** DamagedHelmet.glb with every triangle kept */
  helmet: { before: 3.77, after: 1.241 },
  /** Soldier.glb */
  soldier: { before: 2.16, after: 0.47, clips: 4 },
  /** the scan as STL, written as GLB */
  convert: { seconds: 0.42, validatorErrors: 0 },
} as const;

const less = ({ before, after }: { before: number; after: number }) =>
  String(Math.floor((1 - after / before) * 100));

const { scan, helmet, soldier, convert } = MEASURED;

export const FACTS = [
  {
    figure: less(scan),
    unit: "%",
    lead: "轻了",
    text: `${Math.round(scan.triangles / 10_000)} 万三角面的扫描减到一成，平均误差 ${scan.errorPercent}%，用时 ${scan.seconds} 秒`,
  },
  { figure: less(helmet), unit: "%", lead: "轻了", text: "三角面一个不少，只压缩贴图与几何" },
  {
    figure: less(soldier),
    unit: "%",
    lead: "轻了",
    text: `带骨骼的人物，${soldier.clips} 段动画全部保留`,
  },
  {
    figure: String(convert.seconds),
    unit: "秒",
    lead: "",
    text: `把同一份扫描由 STL 转成 GLB，格式检查 ${convert.validatorErrors} 处错误`,
  },
] as const;
