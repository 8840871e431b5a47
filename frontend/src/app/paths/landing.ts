import { area } from "./area";

/** Landing pages and leaflets of campaigns. */
const { page, soon } = area({ layout: "operation", access: "public" });

export const landingPaths = [
  page("/aLeaflet", "产品手册"),
  page("/aLeaflet/amrtPage", "AMRT 格式"),
  page("/aLeaflet/devtoolPage", "开发工具"),
  page("/aLeaflet/effectsPage", "效果展示"),
  page("/aLeaflet/formatPage", "格式转换手册"),
  page("/aLeaflet/modelResPool", "模型资源库"),
  page("/d3moxingkuQDCPA", "三维模型库"),
  page("/geshizhuanhuanQDCPA", "三维格式转换"),
  page("/qinglianghuaQDCPA", "三维模型轻量化"),
  page("/SDKQDCPA", "三维引擎 SDK"),
  soon("/mapSuperd_feiqi", "贴图增强"),
  soon("/mapSuperd123", "贴图增强"),
  page("/semV1.0.0/gszh", "在线格式转换"),
  page("/semV1.0.0/qlh", "在线轻量化"),
  soon("/operate/visualization", "可视化大屏"),
  page("/promotionPage/assetManage", "三维资产管理"),
] as const;
