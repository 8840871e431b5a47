import type { AuthCertificationItem } from "../../api/generated/auth";
import type { Word } from "../../kit/choices";

export const KINDS: readonly Word[] = [
  { value: "personal", text: "个人" },
  { value: "enterprise", text: "企业" },
  { value: "developer", text: "开发者" },
];

export const STATES: readonly Word[] = [
  { value: "submitted", text: "待审核", tone: "warning" },
  { value: "approved", text: "已通过", tone: "success" },
  { value: "rejected", text: "已驳回", tone: "danger" },
  { value: "withdrawn", text: "已撤回" },
];

/** An account's certification status, by its checkStatus. */
export const STANDINGS: readonly Word[] = [
  { value: "0", text: "审核中", tone: "warning" },
  { value: "1", text: "已认证", tone: "success" },
  { value: "2", text: "未通过", tone: "danger" },
  { value: "3", text: "未认证" },
];

/** Pictures of a request, by their name on the server. */
export const PICTURES: Readonly<Record<string, string>> = {
  front: "身份证人像面",
  back: "身份证国徽面",
  license: "营业执照",
};

const FIELDS: Readonly<Record<string, string>> = {
  realName: "真实姓名",
  idCard: "身份证号",
  companyName: "企业名称",
  creditCode: "统一社会信用代码",
  legalPerson: "法定代表人",
  contactPhone: "联系电话",
  direction: "开发方向",
  introduce: "开发经验",
  website: "作品地址",
};

const DIRECTIONS: Readonly<Record<string, string>> = { app: "应用", plugin: "插件", model: "模型" };

/** The label of a stated field; an unknown value is shown as it is. */
export const stated = ({ name, value }: { name: string; value: string }): [string, string] => [
  FIELDS[name] ?? name,
  name === "direction" ? (DIRECTIONS[value] ?? value) : value,
];

const NOT_CLEAR = ["证件照片不清晰，请重新拍摄后上传", "证件照片不完整，请上传四角完整的照片"];

/** Frequent reasons for refusing a request of this kind; shown to its owner. */
export function refusals(kind: string): readonly string[] {
  if (kind === "developer") return ["开发经验描述过于简单，请补充代表作品", "作品地址无法访问"];
  if (kind === "enterprise")
    return [
      "营业执照照片不清晰，请重新拍摄后上传",
      "企业名称或统一社会信用代码与营业执照不一致",
      "法定代表人与营业执照不一致",
    ];
  return [...NOT_CLEAR, "姓名或身份证号与证件不一致", "证件已过有效期"];
}

export const APPROVALS: readonly string[] = ["材料清晰，信息一致", "已电话核实"];

/** The operator with a valid claim on the pending request; empty without one. */
export const holder = (item: AuthCertificationItem, now = Date.now()): string =>
  item.state === "submitted" && item.claimedUntil > now ? item.claimedBy : "";

export const pathOf = (id: string): string => `/certification/${encodeURIComponent(id)}`;

export const titleOf = (item: AuthCertificationItem): string =>
  item.name || (item.kind === "developer" ? "开发者" : "—");
