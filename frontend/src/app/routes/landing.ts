import type { landingPaths } from "../paths/landing";
import type { Loaders } from "./page";

const brochure = () => import("@/pages/aLeaflet");

export const landingLoaders: Loaders<typeof landingPaths> = {
  "/aLeaflet": brochure,
  "/aLeaflet/amrtPage": brochure,
  "/aLeaflet/devtoolPage": brochure,
  "/aLeaflet/effectsPage": brochure,
  "/aLeaflet/formatPage": brochure,
  "/aLeaflet/modelResPool": brochure,
  "/d3moxingkuQDCPA": () => import("@/pages/campaign/modelLibrary"),
  "/geshizhuanhuanQDCPA": () => import("@/pages/campaign/formatConversion"),
  "/qinglianghuaQDCPA": () => import("@/pages/campaign/lighten"),
  "/SDKQDCPA": () => import("@/pages/campaign/sdk"),
  "/semV1.0.0/gszh": () => import("@/pages/campaign/convertNow"),
  "/semV1.0.0/qlh": () => import("@/pages/campaign/lightenNow"),
  "/promotionPage/assetManage": () => import("@/pages/campaign/assetManage"),
};
