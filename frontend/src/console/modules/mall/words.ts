import * as licenses from "@/messages/licenses";
import { isTakenOff } from "@/messages/listings";
import { formatCents } from "@/ui/Price";
import type {
  TransactionCategory,
  TransactionListingItem,
  TransactionListingRecord,
} from "../../api/generated/transaction";
import { type Word, wordOf } from "../../kit/choices";

export const STATES: readonly Word[] = [
  { value: "draft", text: "草稿" },
  { value: "making", text: "制作展示图", tone: "running" },
  { value: "submitted", text: "待审核", tone: "warning" },
  { value: "listed", text: "已上架", tone: "success" },
  { value: "rejected", text: "未通过", tone: "danger" },
  { value: "withdrawn", text: "已下架" },
  { value: "takendown", text: "平台下架", tone: "danger" },
  { value: "removed", text: "已删除" },
];

export const VERSION_STATES: readonly Word[] = [
  { value: "draft", text: "草稿" },
  { value: "making", text: "制作展示图", tone: "running" },
  { value: "submitted", text: "待审核", tone: "warning" },
  { value: "ready", text: "已通过", tone: "success" },
  { value: "rejected", text: "未通过", tone: "danger" },
  { value: "failed", text: "制作失败", tone: "danger" },
  { value: "discarded", text: "作者已放弃" },
];

const worded = (all: readonly { value: string; title: string }[]): readonly Word[] =>
  all.map(({ value, title }) => ({ value, text: title }));

export const LICENSES = worded(licenses.LICENSES);
export const ORIGINS = worded(licenses.ORIGINS);

export const MAKERS: readonly Word[] = [
  { value: "0", text: "未入驻" },
  { value: "1", text: "平台自营" },
  { value: "2", text: "个人模型师" },
  { value: "3", text: "企业模型师" },
];

export const ACTIONS: readonly Word[] = [
  { value: "submitted", text: "提交审核" },
  { value: "approved", text: "审核通过" },
  { value: "changes", text: "要求修改" },
  { value: "refused", text: "审核拒绝" },
  { value: "takenBack", text: "作者撤回修改" },
  { value: "discarded", text: "作者放弃修改" },
  { value: "withdrawn", text: "作者下架" },
  { value: "relisted", text: "作者重新上架" },
  { value: "takendown", text: "平台下架" },
  { value: "restored", text: "平台恢复" },
  { value: "cleared", text: "平台恢复（下架无依据）" },
  { value: "removed", text: "永久删除" },
  { value: "failed", text: "展示图制作失败" },
];

type Deed = Pick<TransactionListingRecord, "action" | "at">;

/** What a record says; of a listing that was not in the mall yet, its maker took back the first version. */
export const actionText = (record: Deed, all: readonly Deed[]): string =>
  record.action === "withdrawn" && !isTakenOff(record.at, all)
    ? "作者撤回"
    : wordOf(ACTIONS, record.action).text;

/** The listing after this one that waits and that nobody else has claimed, or else the oldest. */
export function nextOf(
  items: readonly TransactionListingItem[],
  current: TransactionListingItem | undefined,
  me: string,
): TransactionListingItem | undefined {
  const free = items.filter(
    ({ listing, claimedBy }) =>
      listing.listingId !== current?.listing.listingId && (!claimedBy || claimedBy === me),
  );
  return free.find(({ submittedAt }) => submittedAt >= (current?.submittedAt ?? 0)) ?? free[0];
}

export const CHANGES: readonly string[] = [
  "名称或介绍与模型内容不符，请修改",
  "分类不正确，请重新选择",
  "来源声明与模型不符，请如实声明",
];
export const REFUSALS: readonly string[] = [
  "与其他作者已上架的模型相同，涉嫌盗用",
  "模型破损严重，无法使用",
  "含有不允许发布的内容",
];
export const APPROVALS: readonly string[] = ["模型完整，资料属实"];
export const TAKEDOWNS: readonly string[] = [
  "收到侵权投诉，核实期间下架",
  "含有不允许发布的内容",
  "模型与介绍不符",
];

export const priceText = (cents: number): string =>
  cents < 0 ? "未填写" : cents === 0 ? "免费" : `¥${formatCents(cents)}`;

export const pathOf = (id: string): string => `/mall/listings/${encodeURIComponent(id)}`;

/** A category with its parent: 机械零件 / 齿轮与传动. */
export function categoryName(categories: readonly TransactionCategory[], id: string): string {
  const own = categories.find((one) => one.id === id);
  if (!own) return id;
  const above = categories.find((one) => one.id === own.parentId);
  return above ? `${above.name} / ${own.name}` : own.name;
}

export interface Branch {
  /** With the listings of those below it. */
  top: TransactionCategory;
  below: readonly TransactionCategory[];
}

/** The two levels of the tree, each sorted. */
export function tree(categories: readonly TransactionCategory[]): readonly Branch[] {
  const inOrder = [...categories].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  return inOrder
    .filter((one) => !one.parentId)
    .map((top) => {
      const below = inOrder.filter((one) => one.parentId === top.id);
      const listings = below.reduce((sum, one) => sum + one.listings, top.listings);
      return { top: { ...top, listings }, below };
    });
}

const plain = (name: string): string => name.trim().toLowerCase();

/** Whether another one of the siblings has the name: makers could not tell the two apart. */
export function isTaken(
  name: string,
  id: string,
  siblings: readonly Pick<TransactionCategory, "id" | "name">[],
): boolean {
  return plain(name) !== "" && siblings.some((one) => one.id !== id && plain(one.name) === plain(name));
}

/** Categories whose position changes when the one at `index` moves by one place, with their new positions. */
export function moved(
  siblings: readonly TransactionCategory[],
  index: number,
  by: -1 | 1,
): readonly TransactionCategory[] {
  const next = [...siblings];
  const [one] = next.splice(index, 1);
  if (!one || index + by < 0 || index + by > next.length) return [];
  next.splice(index + by, 0, one);
  return next
    .map((sibling, at) => ({ ...sibling, position: at + 1 }))
    .filter((sibling) => siblings.find(({ id }) => id === sibling.id)?.position !== sibling.position);
}

const NAMES: Readonly<Record<string, string>> = {
  triangles: "三角面",
  vertices: "顶点",
  meshes: "网格",
  materials: "材质",
  textureCount: "贴图",
  animationCount: "动画",
  skins: "蒙皮",
  morphTargets: "变形目标",
  points: "点",
  lines: "线",
  score: "体检得分",
};

/** The engine's figures with labels; missing ones are omitted. */
export function factsOf(facts: Record<string, unknown>): readonly (readonly [string, string])[] {
  const counted = Object.entries(NAMES).flatMap(([key, name]): [string, string][] => {
    const value = facts[key];
    return typeof value === "number" ? [[name, value.toLocaleString("zh-CN")]] : [];
  });
  const box = facts.boundingBox as { size?: unknown; unit?: unknown } | undefined;
  const sides = Array.isArray(box?.size) ? box.size.filter((side) => typeof side === "number") : [];
  if (sides.length !== 3) return counted;
  return [
    ...counted,
    ["尺寸", `${sides.map((side) => Number(side.toPrecision(4))).join(" × ")} ${box?.unit ?? ""}`],
  ];
}

export const MODELER_STATES: readonly Word[] = [
  { value: "none", text: "未申请" },
  { value: "waiting", text: "待审核", tone: "warning" },
  { value: "approved", text: "已通过", tone: "success" },
  { value: "refused", text: "未通过", tone: "danger" },
  { value: "frozen", text: "已冻结", tone: "danger" },
];

/** Certification status, by `checkStatus`. */
export const CERTIFIED: readonly Word[] = [
  { value: "0", text: "审核中", tone: "warning" },
  { value: "1", text: "已认证", tone: "success" },
  { value: "2", text: "未通过", tone: "danger" },
  { value: "3", text: "未认证" },
];

export const MODELER_ACTIONS: readonly Word[] = [
  { value: "applied", text: "提交申请" },
  { value: "approved", text: "申请通过" },
  { value: "refused", text: "申请拒绝" },
  { value: "frozen", text: "冻结" },
  { value: "unfrozen", text: "解冻" },
];

export const MODELER_APPROVALS: readonly string[] = ["说明清楚，作品属实"];
export const MODELER_REFUSALS: readonly string[] = [
  "申请说明不清楚，请介绍作品与经验",
  "企业身份需先完成企业认证",
  "作品涉嫌盗用他人成果",
];
export const MODELER_FREEZES: readonly string[] = ["多次上传他人作品", "收到侵权投诉，核实期间冻结"];
export const MODELER_UNFREEZES: readonly string[] = ["核实无误", "已改正"];

export const modelerPath = (loginId: string): string => `/mall/modelers/${encodeURIComponent(loginId)}`;
export const shareText = (bp: number): string => `${Number((bp / 100).toFixed(2))}%`;
