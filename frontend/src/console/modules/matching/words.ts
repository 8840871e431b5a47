import type { Word } from "../../kit/choices";

export const DEMAND_STATES: readonly Word[] = [
  { value: "review", text: "待审核", tone: "warning" },
  { value: "open", text: "征集中", tone: "success" },
  { value: "chosen", text: "已选定", tone: "info" },
  { value: "closed", text: "已结束" },
  { value: "refused", text: "未通过", tone: "danger" },
  { value: "expired", text: "已过期" },
  { value: "withdrawn", text: "已撤回" },
  { value: "hidden", text: "平台下架", tone: "danger" },
];

export const PROVIDER_STATES: readonly Word[] = [
  { value: "review", text: "待审核", tone: "warning" },
  { value: "shown", text: "展示中", tone: "success" },
  { value: "refused", text: "未通过", tone: "danger" },
  { value: "hidden", text: "平台下架", tone: "danger" },
  { value: "draft", text: "未展示" },
];

export const APPROVALS: readonly string[] = ["内容完整，没有违规"];
export const REFUSALS: readonly string[] = [
  "没有写清怎样算完成，请补充",
  "正文里有联系方式，请删去",
  "与三维模型无关",
  "含有不允许发布的内容",
];
export const HIDINGS: readonly string[] = ["收到投诉，核实期间下架", "含有不允许发布的内容"];
export const RESTORATIONS: readonly string[] = ["投诉不成立", "已改正"];

export const demandPath = (id: string): string => `/matching/demands/${encodeURIComponent(id)}`;
export const providerPath = (id: string): string => `/matching/providers/${encodeURIComponent(id)}`;
