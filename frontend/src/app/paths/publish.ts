import { area } from "./area";

/** The publish centre. */
const { page, soon } = area({ layout: "publish", access: "login" });

export const publishPaths = [
  page("/publishCenter", "发布中心"),
  soon("/publishCenter/commDrawer", "发布设置"),
  soon("/publishCenter/commHead", "发布中心"),
  soon("/publishCenter/details", "发布详情"),
  page("/publishCenter/mySourceFiles", "我的源文件"),
  soon("/publishCenter/procedSourceFile", "已处理源文件"),
  soon("/publishCenter/processedList", "处理记录"),
  soon("/publishCenter/toBeReleased", "待发布模型"),
] as const;
