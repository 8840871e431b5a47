import { FORMATS } from "@/facts/formats";
import { FREE_SINGLE_MAX_MB, MEMBER_SINGLE_MAX_MB } from "@/facts/limits";
import { READ_COUNT, WRITTEN_COUNT } from "@/facts/names";
import { SCORE_DRAWS, SCORE_FAULTS_MOST, SCORE_PIXELS, SCORE_TRIANGLES } from "@/facts/score";
import { COUPON_RETURN_MINUTES, GIFT, GIFT_DAYS, PAY_MINUTES } from "@/facts/shop";
import { PART_SIZE } from "@/transfer/plan";
import { MB } from "@/transfer/rules";

const SIDE = Math.round(Math.sqrt(SCORE_PIXELS));
const COUPONS = GIFT.map((one) => `${one.faceValue / 100} 元（满 ${one.minAmount / 100} 元）`).join("、");

/** The help centre's articles. Each block is a paragraph, a list, or a small table. */
export type HelpBlock =
  | { kind: "text"; text: string }
  | { kind: "heading"; text: string }
  | { kind: "list"; ordered?: boolean; items: readonly string[] }
  | { kind: "table"; head: readonly string[]; rows: readonly (readonly string[])[] };

export interface HelpArticle {
  id: string;
  title: string;
  summary: string;
  blocks: readonly HelpBlock[];
}

export const HELP_ARTICLES: readonly HelpArticle[] = [
  {
    id: "upload",
    title: "上传一个模型",
    summary: "从选文件到命名完成，一共三步",
    blocks: [
      {
        kind: "list",
        ordered: true,
        items: [
          "登录后点右上角“上传模型”，或在工作台打开“我的上传”。",
          "第一步选文件：把文件拖进虚线框，或点击选择。上传时能看到进度和速度，可以暂停。",
          "第二步体检：文件传完自动开始。日志逐行出现，结束时给出结论和建议。",
          "第三步命名：名称 1 到 15 个字符，默认取文件名。点完成后回到“我的上传”。",
        ],
      },
      { kind: "heading", text: "体检没结束就想离开" },
      {
        kind: "text",
        text: "可以关掉体检窗口，模型会在后台继续处理。稍后到“我的上传”里找它，状态会自己更新。",
      },
      { kind: "heading", text: "带贴图的模型" },
      {
        kind: "text",
        text: "OBJ 请把 .obj、.mtl 和所有贴图打成一个 zip 或 rar；glTF 请把 .gltf、.bin 和贴图打成一个 zip 或 rar；3DS、DAE 也请连贴图一起打包。不要改动文件之间的相对位置，否则会找不到贴图。GLB 与内嵌贴图的 FBX 可以直接传。",
      },
    ],
  },
  {
    id: "formats",
    title: "支持的格式与大小",
    summary: `${READ_COUNT} 种读入、${WRITTEN_COUNT} 种输出，各带得走什么`,
    blocks: [
      {
        kind: "table",
        head: ["格式", "读入", "输出", "说明"],
        rows: FORMATS.filter((row) => row.family !== "archive" && row.family !== "package").map((row) => [
          row.title,
          row.reading,
          row.writes ? "可以" : "—",
          `${row.carries}。${row.note}`,
        ]),
      },
      { kind: "heading", text: "大小" },
      {
        kind: "list",
        items: [
          `单个模型：免费版 ${FREE_SINGLE_MAX_MB} MB，会员 ${MEMBER_SINGLE_MAX_MB} MB。超过 ${MEMBER_SINGLE_MAX_MB} MB 请联系客服。`,
          `容量按 1024 进位：${FREE_SINGLE_MAX_MB} MB 即 ${FREE_SINGLE_MAX_MB} × 1024 × 1024 字节。`,
          "压缩包按压缩后的大小计，解开之后另有上限，防止异常文件拖垮处理。",
        ],
      },
    ],
  },
  {
    id: "report",
    title: "看懂体检报告",
    summary: "分数怎么来，每一项说明什么",
    blocks: [
      {
        kind: "table",
        head: ["项目", "它说明什么"],
        rows: [
          ["三角面、顶点", "几何的分量。网页里流畅展示，单个模型通常控制在十万面上下"],
          ["材质、贴图", "材质越多，绘制次数越多；贴图像素越大，占用显存越多"],
          ["绘制批次", "显卡一帧里要画多少次。次数多，即使面数不高也会卡"],
          ["包围盒与单位", "模型有多大。尺寸差了十倍百倍，多半是导出单位选错"],
          ["动画", "有几段，各多长"],
          ["问题", "分为错误、警告、提示三级，每条写明位置和建议"],
        ],
      },
      { kind: "heading", text: "分数" },
      {
        kind: "text",
        text: `满分 100。三角面超过 ${SCORE_TRIANGLES / 10_000} 万、贴图总像素超过 ${Math.floor(SCORE_PIXELS / 10_000)} 万（约一张 ${SIDE} × ${SIDE}）、绘制批次超过 ${SCORE_DRAWS}，会按超出的倍数扣分；问题按级别扣分，同一类只扣一次，最多扣 ${SCORE_FAULTS_MOST} 分。分数低不等于模型坏，只是告诉你它重在哪里。`,
      },
    ],
  },
  {
    id: "appeal",
    title: "对体检结果有疑问",
    summary: "觉得判错了，先看什么，怎么申诉",
    blocks: [
      { kind: "heading", text: "体检未通过" },
      {
        kind: "list",
        ordered: true,
        items: [
          "先看结论：日志下方写明没有通过的原因，例如文件损坏、格式不支持、压缩包里没有模型。",
          "在自己的软件里打开同一个文件。如果那里也打不开或缺东西，请修好后重新导出、重新上传。",
          "文件没有问题，就点“重试”，或在“我的上传”里点“重新体检”。文件已经在云端，不用再传一遍；文件没变、原因也不是临时故障时，结果通常相同。",
          "仍不通过，又确认文件是好的，就是申诉：请联系客服，由人来看。",
        ],
      },
      { kind: "heading", text: "通过了，但数字或问题看着不对" },
      {
        kind: "text",
        text: "报告只统计读进来的内容，和建模软件的数字可能不同：四边形会拆成三角面，硬边和贴图接缝处的顶点会分开计。分数低也不等于模型坏，不影响下载和处理。差得多，或报告里的问题在模型上找不到，也可以申诉。",
      },
      { kind: "heading", text: "申诉时请带上" },
      {
        kind: "list",
        items: [
          "账号、文件名和体检的时间。",
          "结论原文或日志截图。",
          "用什么软件、哪个版本导出的，在那里看到的是什么样。",
        ],
      },
      {
        kind: "text",
        text: "没有单独的申诉表单，通过页面右侧工具栏的热线或二维码联系客服即可。客服核实前请不要删除这个文件。申诉不会自动改变体检结果：确认是我们读错，要等修正之后重新体检。",
      },
    ],
  },
  {
    id: "lighten",
    title: "轻量化目标怎么定",
    summary: "比例、面数、大小、误差，各在什么时候用",
    blocks: [
      {
        kind: "table",
        head: ["目标", "什么时候用"],
        rows: [
          ["按比例", "第一次处理，不清楚减多少合适。先试保留 50%，再试 20%"],
          ["按三角面数", "使用方有明确上限，例如“不超过 5 万面”"],
          ["按文件大小", "有体积限制，例如小程序包、网页首屏"],
          ["按误差", "不许走样，例如要在模型上量尺寸。数值是包围盒对角线的比例"],
        ],
      },
      { kind: "heading", text: "没有完全达到目标" },
      {
        kind: "text",
        text: "为了保住轮廓、接缝和开口边，有些模型减到一定程度就不再减。结果会写明真正做到的比例和误差。想再小，可以先降低贴图最长边，它往往占体积的大头。",
      },
    ],
  },
  {
    id: "packages",
    title: "离线包和 AMRT 文件",
    summary: "发给别人看，或存成一个小文件",
    blocks: [
      {
        kind: "table",
        head: ["成果", "什么时候用"],
        rows: [
          ["离线包", "对方没有账号、没有网络、不装软件，也要能看。解开 zip，双击其中的 index.html"],
          ["AMRT 文件", "留存或在玄览云里快速查看。一个文件装下模型、骨骼和动画，打开先见粗模"],
        ],
      },
      { kind: "heading", text: "离线包打不开" },
      {
        kind: "list",
        items: [
          "先把 zip 解开：在压缩软件里直接点开的页面可能读不到完整内容。",
          "换用新版 Chrome、Edge、Firefox 或 Safari，并开启硬件加速。",
          "模型很大时浏览器内存不够，请先做轻量化，再打离线包。",
        ],
      },
      {
        kind: "text",
        text: "离线包的页面不会访问任何网络地址，可以放心在内网使用。AMRT 文件其他软件打不开，需要交换时请用格式转换。",
      },
    ],
  },
  {
    id: "resume",
    title: "断点续传",
    summary: "断网、刷新、关页面之后怎么接着传",
    blocks: [
      {
        kind: "list",
        items: [
          `文件按 ${PART_SIZE / MB} MB 一片上传，已经传到的片会记住。`,
          "网络断开：恢复后点“继续”，只传缺的部分。",
          "刷新或关掉页面：重新打开“上传模型”，选择同一个文件，会从上次的位置接着传。",
          "请不要在两次之间修改文件。内容变了就是另一个文件，会从头传。",
        ],
      },
    ],
  },
  {
    id: "member",
    title: "会员、支付与优惠券",
    summary: "怎么买、怎么付、订单多久有效",
    blocks: [
      {
        kind: "list",
        ordered: true,
        items: [
          "在“会员价格”或头像菜单里点“开通会员”，选择等级。会员为年卡，自开通当日起一年有效。",
          `阅读并同意《会员服务协议》后点“确认支付”，会生成一个订单，${PAY_MINUTES} 分钟内有效。`,
          "选择优惠券和支付方式：微信扫码、支付宝、云币；有上传者身份的还可以用收入余额。",
          "付款成功后等级立即生效，可在“我的订单”里看到这一笔。",
        ],
      },
      { kind: "heading", text: "优惠券" },
      {
        kind: "text",
        text: `会员优惠券有 ${COUPONS}，领取后 ${GIFT_DAYS} 天内有效，只能用于购买会员。用了优惠券的订单请用云币支付；支付失败时，优惠券在 ${COUPON_RETURN_MINUTES} 分钟后退回。`,
      },
      { kind: "heading", text: "云币" },
      {
        kind: "text",
        text: "1 云币等于 1 元，在“个人中心 - 账户充值”里用微信或支付宝充值。每一笔收支都列在同一页的账户明细里。",
      },
      { kind: "heading", text: "订单超时或已取消" },
      {
        kind: "text",
        text: `超过 ${PAY_MINUTES} 分钟没有付款的订单会自动关闭，请重新下单。关闭之后才到账的钱会原路退回。`,
      },
    ],
  },
  {
    id: "errors",
    title: "常见提示与处理",
    summary: "看到这句话，该做什么",
    blocks: [
      {
        kind: "table",
        head: ["提示", "怎么办"],
        rows: [
          ["格式不支持", "换成支持的格式；带贴图的打成 zip"],
          ["文件大小不得超过…MB", `先在建模软件里减面或压贴图；会员上限为 ${MEMBER_SINGLE_MAX_MB} MB`],
          ["上传失败", "检查网络后重试，已传的部分不会重传"],
          ["获取上传参数出错", "多半是登录过期，刷新页面重新登录"],
          ["体检接口访问失败", "稍后重试；文件已经在云端，不用重新上传"],
          ["模型名称不能为空 / 长度在 1 到 15 个字符", "改一个 1 到 15 个字的名称"],
          ["请登录", "登录已过期，重新登录后会回到原来的页面"],
        ],
      },
      {
        kind: "text",
        text: "还是解决不了，请把提示原文、文件名和发生的时间发给客服，页面右侧工具栏有热线和二维码。",
      },
    ],
  },
];
