import { SERVICES } from "../../kit/services";

/** Names of the services and of the parts that they need. */
const NAMES: Readonly<Record<string, string>> = {
  ...SERVICES,
  bus: "消息总线",
  cache: "缓存",
  database: "数据库",
  disk: "磁盘",
  objects: "对象存储",
};

const known = (name: string): string | undefined => NAMES[name.split(/[.:-]/)[0] ?? ""];

/** The Chinese name with the technical one beside it; the technical one alone if there is no other. */
export const partName = (name: string): string => (known(name) ? `${known(name)}（${name}）` : name);

/** The Chinese name alone, for sentences. */
export const shortName = (name: string): string => known(name) ?? name;

/** What is wrong with a part that some processes do not reach. */
export const partProblem = (name: string): string => (name === "disk" ? "空间不足" : "连接不上");
