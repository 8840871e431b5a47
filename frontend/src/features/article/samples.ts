import { type TransactionListing, useModelListQuery } from "@/calls/transaction";
import type { Recipe } from "./blocks";

/**
 * Beginning of the name of the mall listing that shows the same generated model (services/xuanlan/demo/mall.toml: the free one
 * with the family's default parameters). Its render serves as the picture, its proxy can be turned; a model without a listing is
 * drawn by us.
 */
const IN_MALL: Readonly<Record<string, string>> = {
  "arch-bridge": "三孔石拱桥",
  bearing: "深沟球轴承",
  bench: "公园长椅",
  bolt: "六角螺栓 M12",
  chair: "橡木餐椅",
  chess: "王棋",
  drone: "四旋翼航拍机",
  flange: "对焊法兰 DN100",
  "floor-lamp": "三脚落地灯",
  gear: "直齿轮 24 齿",
  house: "红砖两层小楼",
  impeller: "离心叶轮",
  pavilion: "六角亭",
  "pipe-bend": "法兰弯管 90 度",
  planetary: "行星齿轮组 三行星轮",
  pottery: "青瓷瓶",
  ring: "六爪钻戒",
  rock: "花岗岩景石",
  rocket: "四助推运载火箭",
  shelf: "五层书架",
  "spiral-stairs": "旋转楼梯",
  spring: "压缩弹簧",
  "spur-gear": "直齿轮 24 齿",
  "street-lamp": "双臂宫灯",
  table: "胡桃木餐桌",
  tower: "扭转塔楼",
  tree: "阔叶树",
  valve: "法兰闸阀",
  "wind-turbine": "三叶风力发电机",
};

/** One shared query for all pictures of a page: the free models are few and include one of each family. */
const FREE = { free: "true", sort: "newest", pageNo: 1, pageSize: 48 } as const;

/** The mall listing of this model; none if the recipe has parameters, which make another model. */
export function useSample({ sample, params }: Recipe): { listing?: TransactionListing; asking: boolean } {
  const word = Object.keys(params).length === 0 ? IN_MALL[sample] : undefined;
  const { data, isLoading } = useModelListQuery(FREE, { skip: !word });
  const listing = word ? data?.results.find((one) => one.name.startsWith(word)) : undefined;
  return { listing, asking: isLoading };
}
