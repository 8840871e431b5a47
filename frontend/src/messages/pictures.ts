/** Names of the pictures of a listing, which buyers and operators see alike; the engine's own words are English. */

/** In the order in which they are shown. */
const KINDS: Readonly<Record<string, string>> = {
  beauty: "展示图",
  turntable: "转台",
  wire: "线框",
  uv: "UV 布局",
  texture: "贴图",
  /** Of a newer engine. */
  other: "图片",
};

/** Titles of wireframes (crates/modelkit/src/showcase/pictures.rs). */
const SIDES: Readonly<Record<string, string>> = {
  front: "正面",
  right: "右面",
  back: "背面",
  left: "左面",
  top: "顶面",
  bottom: "底面",
};

/** What a map is used for: slots of glTF (crates/modelkit/src/scene/material.rs), and those of its extensions. */
const USES: Readonly<Record<string, string>> = {
  baseColor: "基础色",
  diffuse: "漫反射",
  metallicRoughness: "金属度/粗糙度",
  specularGlossiness: "高光/光泽度",
  normal: "法线",
  occlusion: "遮蔽",
  emissive: "自发光",
  specular: "高光强度",
  specularColor: "高光颜色",
  clearcoat: "清漆",
  clearcoatRoughness: "清漆粗糙度",
  clearcoatNormal: "清漆法线",
  sheenColor: "绒光颜色",
  sheenRoughness: "绒光粗糙度",
  transmission: "透射",
  diffuseTransmission: "漫透射",
  diffuseTransmissionColor: "漫透射颜色",
  thickness: "厚度",
  iridescence: "虹彩",
  iridescenceThickness: "虹彩厚度",
  anisotropy: "各向异性",
};
const OTHER_USE = "其他用途";

/** Names of extensions are those of a file: `constructor` is none of ours. */
const wordIn = (words: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(words, key) ? words[key] : undefined;

/** Uses are separated by spaces. */
function usesOf(title: string): string {
  const uses = title.split(" ").filter(Boolean);
  return [...new Set(uses.map((use) => wordIn(USES, use) ?? OTHER_USE))].join("、");
}

const detailOf = (kind: string, title: string): string | undefined =>
  kind === "wire" ? wordIn(SIDES, title) : kind === "texture" ? usesOf(title) : undefined;

/** Kinds of which a model has one picture. */
const SINGLE: ReadonlySet<string> = new Set(["turntable", "uv"]);

interface Picture {
  kind: string;
  title: string;
}

export interface NamedPicture<P> {
  picture: P;
  /** Distinct: 展示图 1, 线框 正面, 贴图 法线. */
  name: string;
  /** The same without the kind, for where that stands above; empty for one of a kind. */
  short: string;
}

export interface PictureGroup<P> {
  kind: string;
  title: string;
  pictures: readonly NamedPicture<P>[];
}

/** Pictures by their kind. */
export function pictureGroups<P extends Picture>(pictures: readonly P[]): readonly PictureGroup<P>[] {
  const kindOf = ({ kind }: Picture) => (wordIn(KINDS, kind) ? kind : "other");
  return Object.entries(KINDS).flatMap(([kind, title]) => {
    const own = pictures.filter((picture) => kindOf(picture) === kind);
    if (own.length === 0) return [];
    const times = new Map<string, number>();
    const named = own.map((picture): NamedPicture<P> => {
      const detail = detailOf(kind, picture.title) ?? "";
      const nth = (times.get(detail) ?? 0) + 1;
      times.set(detail, nth);
      // What has no name of its own is numbered from the first, and names that come again from the second.
      const numbered = detail ? nth > 1 : own.length > 1 || !SINGLE.has(kind);
      const short = [detail, numbered ? nth : ""].filter(Boolean).join(" ");
      return { picture, name: [title, short].filter(Boolean).join(" "), short };
    });
    return [{ kind, title, pictures: named }];
  });
}
