import { area } from "./area";

/** Applications and the editors they are made in. */
const { page, soon } = area({ layout: "default", access: "public" });

export const applicationsPaths = [
  soon("/modelEditor", "模型编辑器", { layout: "edit" }),
  soon("/modelEditor/preview", "模型预览", { layout: "edit" }),
  soon("/modelEditor/zuvModel", "模型编辑器", { layout: "edit" }),
  page("/applicationCenter", "应用中心"),
  page("/applicationCenter/aboutUs", "关于我们"),
  soon("/applicationCenter/edit", "应用编辑", { layout: "edit" }),
  soon("/applicationCenter/iframePage", "应用嵌入", { layout: "simple2" }),
  soon("/applicationCenter/index1", "应用中心"),
  soon("/applicationCenter/operate", "应用运营"),
  soon("/applicationCenter/previwEdit", "应用预览", { layout: "edit" }),
  soon("/applicationCenter/scorecard", "应用评分"),
  soon("/applicationCenter/templateIndustry", "行业模板"),
] as const;
