/** Apart from the grades, which the home page shows: its first load need not carry the whole table. */
export interface CompareRow {
  title: string;
  note?: string;
  /** Free, basic, advanced, professional; an empty text stands for "not included". */
  values: readonly [string, string, string, string];
}

export const COMPARE: readonly { title: string; rows: readonly CompareRow[] }[] = [
  {
    title: "空间与上传",
    rows: [
      { title: "存储空间", values: ["10 GB", "500 GB", "1 TB", "5 TB"] },
      { title: "单个模型大小", values: ["300 MB", "500 MB", "500 MB", "500 MB"] },
      {
        title: "倾斜摄影大小",
        note: "网页上传至多 5 GB，更大的请用客户端",
        values: ["5 GB", "20 GB（仅客户端）", "50 GB", "100 GB"],
      },
      { title: "私密分享有效期", values: ["3 天", "不限", "不限", "不限"] },
    ],
  },
  {
    title: "模型处理",
    rows: [
      { title: "单模型轻量化", note: "每年免费次数", values: ["", "180 次", "720 次", "不限"] },
      { title: "格式转换", note: "每年免费次数", values: ["", "180 次", "720 次", "不限"] },
      { title: "倾斜摄影轻量化", note: "按单价折扣", values: ["", "9 折", "7 折", "5 折"] },
      { title: "离线包下载", note: "每年免费次数", values: ["", "150 次", "500 次", "不限"] },
      { title: "处理接口调用", note: "每年免费次数", values: ["", "10,000 次", "20,000 次", "50,000 次"] },
    ],
  },
  {
    title: "模型商城",
    rows: [
      { title: "免费模型", values: ["每天 5 个", "每天 5 个", "每天 5 个", "每天 5 个"] },
      { title: "付费模型下载", note: "每月免费次数", values: ["", "50 个", "150 个", "500 个"] },
    ],
  },
];

export const PRICE_QUESTIONS: readonly { question: string; answer: string }[] = [
  {
    question: "会员从什么时候算起？",
    answer:
      "自开通当日起一年。有效期内再次购买同一等级，时间接在后面；升级则立即生效，原等级剩余的时间在其后继续。",
  },
  {
    question: "免费次数什么时候恢复？",
    answer: "付费模型下载每月恢复一次，其余次数按会员年度计算。用完之后可以按次付费。",
  },
  {
    question: "可以退款吗？",
    answer: "会员服务一经开通不支持退款。建议先用免费版把上传、体检和轻量化走一遍，再决定是否开通。",
  },
  {
    question: "账号可以多人共用吗？",
    answer: "不可以。会员权益只供本账号使用，不得出借、共享或转卖。",
  },
  {
    question: "会员到期后文件怎么办？",
    answer: "服务终止后数据保留 15 天，请在这段时间里下载需要的文件。",
  },
];
