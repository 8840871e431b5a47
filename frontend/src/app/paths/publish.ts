import { area } from "./area";

/** The publish centre. */
const { page } = area({ layout: "publish", access: "login" });

export const publishPaths = [
  page("/publishCenter", "发布中心"),
  page("/publishCenter/commDrawer", "发布设置"),
  page("/publishCenter/commHead", "发布中心"),
  page("/publishCenter/details", "发布详情"),
  page("/publishCenter/mySourceFiles", "我的源文件"),
  page("/publishCenter/procedSourceFile", "已处理源文件"),
  page("/publishCenter/processedList", "处理记录"),
  page("/publishCenter/toBeReleased", "待发布模型"),
] as const;
