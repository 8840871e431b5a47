/** Parameters of a service, as a form and as the call's JSON text. Pure. */
export type ServiceType = "lightweight" | "convert" | "tile" | "amrt" | "offline";
export type TargetKind = "ratio" | "triangles" | "sizeMb" | "error";
export type OutputFormat = "glb" | "obj" | "stl" | "ply";
export type TileTextures = "keep" | "webp" | "ktx2";
export type TileGeometry = "meshopt" | "draco";
export type TextureFormat = "webp" | "ktx2";

export interface ServiceForm {
  type: ServiceType;
  kind: TargetKind;
  /** percent of the triangles kept */
  ratioPercent: string;
  triangles: string;
  sizeMb: string;
  /** percent of the model's diagonal */
  errorPercent: string;
  /** longest side of a texture in pixels; 0 leaves textures as they are */
  textureMax: number;
  format: OutputFormat;
  /** tiles only */
  tileTextures: TileTextures;
  tileGeometry: TileGeometry;
  /** AMRT: percent of the triangles kept */
  packPercent: PackPercent;
  /** AMRT: format of the textures */
  packTextures: TextureFormat;
}

export const packPercents = ["100", "50", "20"] as const;
export type PackPercent = (typeof packPercents)[number];

export interface SourceFacts {
  triangles: number;
  bytes: number;
  /** metres; 0 if unknown */
  diagonal: number;
}

export const serviceNames: Record<string, string> = {
  lightweight: "轻量化",
  convert: "格式转换",
  tile: "三维瓦片",
  offline: "离线包",
  amrt: "AMRT 文件",
};

export const targetNames: Record<TargetKind, string> = {
  ratio: "按比例",
  triangles: "按面数",
  sizeMb: "按大小",
  error: "按误差",
};

export const formatFacts: Record<OutputFormat, { title: string; keeps: string; loses: string }> = {
  glb: { title: "GLB", keeps: "保留几何、材质、贴图、骨骼和动画，网页直接可用", loses: "" },
  obj: {
    title: "OBJ",
    keeps: "保留几何、基础材质和贴图，打成一个 zip",
    loses: "不含骨骼、动画和金属粗糙度参数",
  },
  stl: { title: "STL", keeps: "只保留几何，适合三维打印和仿真", loses: "不含材质、贴图和动画" },
  ply: { title: "PLY", keeps: "保留几何、法线和顶点颜色，适合点云与扫描流程", loses: "不含贴图和动画" },
};

export const tileTextureFacts: Record<TileTextures, { title: string; means: string }> = {
  keep: { title: "保留原图", means: "贴图看得到的像素逐一不变" },
  webp: { title: "WebP", means: "贴图转为 WebP，体积约减一半" },
  ktx2: { title: "KTX2", means: "贴图转为 KTX2，显存占用小，生成较慢" },
};

export const tileGeometryFacts: Record<TileGeometry, { title: string; means: string }> = {
  meshopt: { title: "Meshopt", means: "几何解码最快" },
  draco: { title: "Draco", means: "几何体积更小，解码稍慢" },
};

export const textureFacts: Record<TextureFormat, { title: string; line: string }> = {
  webp: { title: "WebP", line: "贴图转为 WebP，文件最小" },
  ktx2: { title: "KTX2", line: "贴图转为 KTX2，文件略大，显存占用约为四分之一，适合贴图多的模型" },
};

export const textureChoices = [0, 512, 1024, 2048, 4096] as const;

export const startForm: ServiceForm = {
  type: "lightweight",
  kind: "ratio",
  ratioPercent: "20",
  triangles: "",
  sizeMb: "",
  errorPercent: "0.1",
  textureMax: 2048,
  format: "glb",
  tileTextures: "keep",
  tileGeometry: "meshopt",
  packPercent: "100",
  packTextures: "webp",
};

/** The value of the chosen target, in the call's unit; undefined if the text is not a number. */
export function targetValue(form: ServiceForm): number | undefined {
  const text = {
    ratio: form.ratioPercent,
    triangles: form.triangles,
    sizeMb: form.sizeMb,
    error: form.errorPercent,
  }[form.kind].trim();
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  if (form.kind === "ratio" || form.kind === "error") return value / 100;
  return value;
}

/** The error; undefined if the form is valid. */
export function judgeForm(form: ServiceForm): string | undefined {
  if (form.type !== "lightweight") return undefined;
  const value = targetValue(form);
  if (value === undefined) return "请输入一个数字";
  switch (form.kind) {
    case "ratio":
      return value >= 0.001 && value <= 1 ? undefined : "保留比例在 0.1% 到 100% 之间";
    case "triangles":
      return Number.isInteger(value) && value >= 4 && value <= 100_000_000
        ? undefined
        : "面数为 4 到 1 亿之间的整数";
    case "sizeMb":
      return value >= 0.01 && value <= 10_240 ? undefined : "大小在 0.01 到 10240 MB 之间";
    case "error":
      return value > 0 && value <= 0.1 ? undefined : "误差在 0% 到 10% 之间，不含 0";
  }
}

/** Text of the start button. */
export const startNames: Record<ServiceType, string> = {
  lightweight: "开始轻量化",
  convert: "开始转换",
  tile: "开始生成",
  amrt: "开始生成",
  offline: "开始打包",
};

/** The service named by an address; lightweighting for anything else. */
export function serviceOf(name: string | null): ServiceType {
  return name !== null && Object.hasOwn(startNames, name) ? (name as ServiceType) : "lightweight";
}

/** The call's `params`. */
export function paramsText(form: ServiceForm): string {
  if (form.type === "convert") return JSON.stringify({ format: form.format });
  const texture = form.textureMax > 0 ? { textureMax: form.textureMax } : {};
  if (form.type === "tile") {
    return JSON.stringify({ ...texture, textureFormat: form.tileTextures, geometry: form.tileGeometry });
  }
  if (form.type === "offline") return JSON.stringify(texture);
  if (form.type === "amrt") {
    const target = { kind: "ratio", value: Number(form.packPercent) / 100 };
    return JSON.stringify({ target, textureFormat: form.packTextures, ...texture });
  }
  const target = { kind: form.kind, value: targetValue(form) };
  return JSON.stringify({ target, format: "glb", ...texture });
}

/** Explains the chosen parameters for this model. */
export function explain(form: ServiceForm, facts: SourceFacts | undefined): string {
  if (form.type === "convert") {
    const { keeps, loses } = formatFacts[form.format];
    return [keeps, loses].filter(Boolean).join("；");
  }
  if (form.type === "tile") {
    const side = form.textureMax > 0 ? `，贴图最长边不超过 ${form.textureMax} 像素` : "";
    const packed = `${tileTextureFacts[form.tileTextures].means}，${tileGeometryFacts[form.tileGeometry].means}`;
    return `按空间切成多级瓦片，远看用粗的一级，近看再载入细的一级；最细一级的三角面一个不少${side}。${packed}。成果为 3D Tiles 1.1。`;
  }
  if (form.type === "amrt") return explainAmrt(form, facts);
  if (form.type === "offline") {
    return `打成一个 zip：解开后双击 index.html，在浏览器里就能旋转、播放动画、看线框，不需要网络，也不用安装软件。三角面一个不少，贴图转为 WebP${textureLimit(form)}。`;
  }
  const value = targetValue(form);
  if (value === undefined || judgeForm(form)) return "填好数值后，这里说明它对模型意味着什么。";
  const count = (n: number) => Math.round(n).toLocaleString("zh-CN");
  switch (form.kind) {
    case "ratio":
      if (!facts?.triangles) return `保留约 ${form.ratioPercent}% 的三角面。`;
      return `三角面从 ${count(facts.triangles)} 减到约 ${count(facts.triangles * value)}，误差在各部件间统一分配，细节多的地方留得多。`;
    case "triangles":
      if (!facts?.triangles) return `减到不超过 ${count(value)} 个三角面。`;
      if (value >= facts.triangles)
        return `原模型只有 ${count(facts.triangles)} 个三角面，不会减面，只做清理和压缩。`;
      return `三角面从 ${count(facts.triangles)} 减到约 ${count(value)}（${((value / facts.triangles) * 100).toFixed(1)}%）。`;
    case "sizeMb": {
      const source = facts ? facts.bytes / 1_048_576 : 0;
      if (facts && value >= source) return `原文件 ${source.toFixed(1)} MB，已经不超过目标，只做清理和压缩。`;
      return `先清理和压缩几何与贴图，不够再减面，直到文件不超过 ${value} MB${facts ? `（原 ${source.toFixed(1)} MB）` : ""}。`;
    }
    case "error": {
      const far = facts?.diagonal ? `，对这个模型约 ${millimetres(facts.diagonal * value)}` : "";
      return `表面偏差不超过模型对角线的 ${form.errorPercent}%${far}，在此之内尽量减面。`;
    }
  }
}

function textureLimit(form: ServiceForm): string {
  return form.textureMax > 0 ? `，最长边不超过 ${form.textureMax} 像素` : "";
}

function explainAmrt(form: ServiceForm, facts: SourceFacts | undefined): string {
  const percent = Number(form.packPercent);
  const count = (n: number) => Math.round(n).toLocaleString("zh-CN");
  const triangles =
    percent === 100
      ? "三角面一个不少"
      : facts?.triangles
        ? `三角面从 ${count(facts.triangles)} 减到约 ${count((facts.triangles * percent) / 100)}`
        : `保留约 ${percent}% 的三角面`;
  return `${triangles}；${textureFacts[form.packTextures].line}${textureLimit(form)}。层级、名称、骨骼和动画都保留，打开时先显示粗模，再换成完整模型。`;
}

function millimetres(metres: number): string {
  const mm = metres * 1000;
  return mm >= 1000
    ? `${(mm / 1000).toFixed(2)} 米`
    : mm >= 10
      ? `${(mm / 10).toFixed(1)} 厘米`
      : `${Number(mm.toPrecision(2))} 毫米`;
}

/** Text for a result's stored parameters. */
export function describeParams(type: string, params: string): string {
  let value: {
    target?: { kind?: string; value?: number };
    textureMax?: number;
    format?: string;
    textureFormat?: string;
    geometry?: string;
  };
  try {
    value = JSON.parse(params) ?? {};
  } catch {
    return "";
  }
  if (type === "convert") return value.format ? `转为 ${value.format.toUpperCase()}` : "";
  const texture = value.textureMax ? `贴图 ${value.textureMax} px` : "";
  if (type === "tile") {
    const textures = tileTextureFacts[value.textureFormat as TileTextures]?.title;
    const geometry = tileGeometryFacts[value.geometry as TileGeometry]?.title;
    return [texture, textures, geometry].filter(Boolean).join("　");
  }
  if (type === "offline") return texture;
  const n = value.target?.value ?? 0;
  const words: Record<string, string> = {
    ratio: `保留 ${Number((n * 100).toFixed(2))}%`,
    triangles: `${n.toLocaleString("zh-CN")} 面以内`,
    sizeMb: `${n} MB 以内`,
    error: `误差 ${Number((n * 100).toFixed(3))}% 以内`,
  };
  const target = words[value.target?.kind ?? ""] ?? "";
  const format = type === "amrt" ? (value.textureFormat ?? "webp").toUpperCase().replace("WEBP", "WebP") : "";
  return [target, format, texture].filter(Boolean).join("　");
}
