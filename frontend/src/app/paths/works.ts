import { area } from "./area";

/** Works on show, and one's own. */
const { page } = area({ layout: "default", access: "public" });

export const worksPaths = [
  page("/production", "作品"),
  page("/production/classify", "作品分类"),
  page("/production/detail", "作品详情"),
  page("/rorateBall", "旋转球体", { layout: "operation" }),
  page("/workbench/myWorks", "我的作品", { layout: "workbench", access: "login" }),
  page("/workbench/myWorks/list", "作品列表", { layout: "workbench", access: "login" }),
  page("/workbench/myComment", "我的评论", { layout: "workbench", access: "login" }),
  page("/workbench/myComment/comment", "评论", { layout: "workbench", access: "login" }),
  page("/workbench/myComment/index1", "我的评论", { layout: "workbench", access: "login" }),
  page("/workbench/myComment/reply", "回复", { layout: "workbench", access: "login" }),
] as const;
