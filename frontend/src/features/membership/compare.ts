import type { OrderMemberGrade } from "@/calls/order";
import { FREE_SINGLE_MAX_MB, FREE_STORAGE_GB, SCENE_MAX_MB } from "@/facts/limits";
import { shopMessages } from "@/messages/shop";
import { amount, discount, size } from "./figures";
import { FREE_MODELS } from "./grades";

/** Separate from the grades, which the home page shows, to keep the table out of its first load. */
export interface CompareRow {
  title: string;
  note?: string;
  /** What currently applies to every edition, whatever else the row says. */
  now?: string;
  /** Value in the free edition; empty means "not included". */
  free: string;
  /** Value in a grade on sale. */
  paid: (grade: OrderMemberGrade) => string;
}

/** Will be counted per year; currently nothing is counted. */
const COUNTED = { now: `${shopMessages.freeNow}，${shopMessages.unlimitedNow}`, free: "按次付费" };
const yearly = (number: number) => amount(number, "次/年免费", "不限次");
const models = (number: number) => amount(number, "个", "不限");

export const COMPARE: readonly { title: string; rows: readonly CompareRow[] }[] = [
  {
    title: "空间与上传",
    rows: [
      { title: "存储空间", free: size(FREE_STORAGE_GB), paid: (grade) => size(grade.storageGb) },
      {
        title: "单个模型大小",
        free: `${FREE_SINGLE_MAX_MB} MB`,
        paid: (grade) => `${grade.singleMaxMb} MB`,
      },
      {
        title: "倾斜摄影大小",
        note: `网页上传至多 ${SCENE_MAX_MB / 1024} GB，更大的请用客户端`,
        free: size(SCENE_MAX_MB / 1024),
        paid: (grade) =>
          grade.sceneMaxGb * 1024 > SCENE_MAX_MB
            ? `${size(grade.sceneMaxGb)}（仅客户端）`
            : size(grade.sceneMaxGb),
      },
      { title: "私密分享有效期", free: "3 天", paid: () => "不限" },
    ],
  },
  {
    title: "模型处理",
    rows: [
      { ...COUNTED, title: "单模型轻量化", paid: (grade) => yearly(grade.singleModelLightweight) },
      { ...COUNTED, title: "格式转换", paid: (grade) => yearly(grade.modelFormatConversion) },
      {
        ...COUNTED,
        title: "倾斜摄影轻量化",
        paid: (grade) => `单价 ${discount(grade.sceneModelLightweight)}`,
      },
      { ...COUNTED, title: "离线包下载", paid: (grade) => yearly(grade.singleModelOfflinePackage) },
      {
        title: "处理接口调用",
        note: "每年免费次数",
        free: "",
        paid: (grade) => amount(grade.apiCalls, "次", "不限"),
      },
    ],
  },
  {
    title: "模型商城",
    rows: [
      { title: "免费模型", free: FREE_MODELS, paid: () => FREE_MODELS },
      {
        title: "付费模型下载",
        note: "每月免费次数",
        free: "",
        paid: (grade) => models(grade.modelMallChargeModelDownloads),
      },
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
