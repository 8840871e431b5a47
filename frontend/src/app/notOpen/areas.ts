/** Texts of pages that are not open yet, by area: what is planned, and what is available today. */

import type { Address, SoonArea } from "../paths";

export type SoonDrawing = "shelf" | "mesh" | "editor" | "spark" | "city" | "pages" | "code" | "person";

export interface Plan {
  drawing: SoonDrawing;
  /** The purpose of this area's pages, in one sentence. */
  purpose: string;
  /** What users will be able to do here. */
  plans: readonly string[];
  /** The alternative available today. */
  today: string;
  /** The nearest open page, and the label of its button. */
  to: Address;
  act: string;
}

const UPLOADS = "/workbench/myUpload";
const SERVICES = "/workbench/service";

const EDITOR: Plan = {
  drawing: "editor",
  purpose: "在浏览器里编辑模型，把它做成可以发出去的应用。",
  plans: [
    "布光、改材质、做标注与动画",
    "从行业模板开始，发布成一个链接",
    "应用的密钥、回调与上下架在一处管理",
  ],
  today: "在线查看已经可以剖切、测量、爆炸、看线框，也能换环境光。",
  to: UPLOADS,
  act: "打开一个模型看看",
};

export const PLANS: Readonly<Record<SoonArea, Plan>> = {
  mall: {
    drawing: "shelf",
    purpose: "在商城里换一种方式得到和交易模型。",
    plans: ["盲盒的奖品、概率与存量事先公开，开奖可以自己核对", "开出的模型直接进入我的模型"],
    today: "模型商城已经开放：看清网格、贴图与体检报告，再领取或购买。",
    to: "/transaction",
    act: "去模型商城",
  },
  applications: EDITOR,
  editor: EDITOR,
  ai: {
    drawing: "spark",
    purpose: "由图片或文字生成三维模型，并把模糊的贴图还原清楚。",
    plans: [
      "一张图片或一段话，生成带贴图的模型",
      "贴图放大到两倍、四倍，细节不走样",
      "生成的结果直接进入体检与轻量化",
    ],
    today: "轻量化可以压缩贴图、减少网格，结果可与原模型并排比较。",
    to: SERVICES,
    act: "去模型服务",
  },
  visualization: {
    drawing: "city",
    purpose: "把模型与数据放上一块大屏。",
    plans: ["从行业模板开始，换上自己的模型", "接上数据源，数字随它变化", "一个链接发到会议室的屏幕"],
    today: "行业方案写明了材料怎样准备，案例里有示例工程。",
    to: "/solution",
    act: "看行业方案",
  },
  topology: {
    drawing: "mesh",
    purpose: "把扫描或雕刻的密集网格，重建成规整、好编辑的四边形网格。",
    plans: ["按目标面数重建，保留硬边与对称", "自动展开贴图坐标，烘焙法线", "结果与原模型逐处比对误差"],
    today: "减面、焊接与误差检查在轻量化里已经可以使用。",
    to: SERVICES,
    act: "去模型服务",
  },
  content: {
    drawing: "pages",
    purpose: "接口的变更，与限时的活动。",
    plans: ["接口变更提前告知", "活动的规则与期限写在一处"],
    today: "新闻里有每次更新改了什么，专题页可以当场试用。",
    to: "/news",
    act: "看新闻",
  },
  developers: {
    drawing: "code",
    purpose: "在自己的软件和系统里使用玄览云。",
    plans: ["建模软件里的上传与预览插件", "在企业系统里嵌入模型预览"],
    today: "上传、体检、轻量化和下载都可以在网页上完成，充值与会员也不受影响。",
    to: "/workbench",
    act: "回工作台",
  },
  orders: {
    drawing: "person",
    purpose: "按订单开具发票。",
    plans: ["抬头与税号填一次，下次直接选用", "电子发票发到邮箱", "开过的发票随时可以下载"],
    today: "订单的金额与付款时间在我的订单里可以查到。",
    to: "/workbench/myOrder",
    act: "看我的订单",
  },
};
