import type { Address } from "@/app/paths";
import { READ_COUNT, WRITTEN_TITLES } from "@/facts/names";

/** The header's entries as data, shared by the wide menus and the drawer. */
export interface NavLink {
  title: string;
  note?: string;
  to: Address;
}

export interface NavGroup {
  title: string;
  links: readonly NavLink[];
}

export const PRODUCT_GROUPS: readonly NavGroup[] = [
  {
    title: "模型处理",
    links: [
      { title: "单模型轻量化", note: "减面、合并、压缩贴图，前后对比着看", to: "/singleIightweight" },
      {
        title: "格式转换",
        note: `${READ_COUNT} 种格式读入，输出 ${WRITTEN_TITLES}`,
        to: "/formatConversion",
      },
      { title: "倾斜摄影", note: "大场景切片与轻量，浏览器里直接打开", to: "/obliquePhotography" },
    ],
  },
  {
    title: "创作与编辑",
    links: [
      { title: "作品", note: "打开就能转动的模型、场景与案例", to: "/production" },
      { title: "AI 模型", note: "由图片或文字生成三维模型", to: "/aiModel" },
      { title: "模型编辑器", note: "在浏览器里布光、改材质、做标注", to: "/modelEditor" },
      { title: "贴图清晰化", note: "把模糊的贴图还原得更清楚", to: "/mapSuperd123" },
    ],
  },
  {
    title: "行业方案",
    links: [
      { title: "智慧园区", to: "/solution/smartPark" },
      { title: "智慧机房", to: "/solution/smartComputerRoom" },
      { title: "智慧工厂", to: "/solution/smartFactory" },
      { title: "C2M 电商", to: "/solution/c2mEcommerce" },
      { title: "智慧交通", to: "/solution/intelligentTransportation" },
      { title: "智慧能源", to: "/solution/smartEnergy" },
    ],
  },
];

export const DEVELOPER_LINKS: readonly NavLink[] = [
  { title: "接口文档", note: "模型处理接口的说明与示例", to: "/news/api" },
  { title: "应用管理", note: "创建应用，管理密钥与回调", to: "/workbench/appManage" },
  { title: "插件下载", note: "建模软件里的上传与预览插件", to: "/workbench/pluginCollection" },
  {
    title: "开发者认证",
    note: "完成认证后调用接口与上架模型",
    to: "/workbench/authInfo?nowType=MAKE_MODEL",
  },
];

export const PLAIN_LINKS: readonly NavLink[] = [
  { title: "案例中心", to: "/case" },
  { title: "会员价格", to: "/pricePage" },
  { title: "帮助中心", to: "/helpCenter" },
  { title: "关于我们", to: "/applicationCenter/aboutUs" },
];

/** Target of the upload button: opens the page with its wizard. */
export const UPLOAD_PATH = "/workbench/myUpload?upload=1";
export const COUPON_PATH = "/workbench/account/myCoupon";
export const CART_PATH = "/workbench/myShoppCart";
