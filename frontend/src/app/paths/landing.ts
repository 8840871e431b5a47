import { area } from "./area";

/** Landing pages and leaflets of campaigns. */
const { soon } = area({ layout: "operation", access: "public" });

export const landingPaths = [
  soon("/rorateBall", "旋转球体"),
  soon("/aLeaflet", "产品手册"),
  soon("/aLeaflet/amrtPage", "AMRT 格式"),
  soon("/aLeaflet/devtoolPage", "开发工具"),
  soon("/aLeaflet/effectsPage", "效果展示"),
  soon("/aLeaflet/formatPage", "格式转换手册"),
  soon("/aLeaflet/modelResPool", "模型资源库"),
  soon("/d3moxingkuQDCPA", "三维模型库"),
  soon("/geshizhuanhuanQDCPA", "三维格式转换"),
  soon("/qinglianghuaQDCPA", "三维模型轻量化"),
  soon("/SDKQDCPA", "三维引擎 SDK"),
  soon("/mapSuperd_feiqi", "贴图增强"),
  soon("/mapSuperd123", "贴图增强"),
  soon("/semV1.0.0/gszh", "在线格式转换"),
  soon("/semV1.0.0/qlh", "在线轻量化"),
  soon("/operate/visualization", "可视化大屏"),
  soon("/promotionPage/assetManage", "三维资产管理"),
] as const;
