import Box from "@mui/material/Box";
import { FREE_SINGLE_MAX_MB, MEMBER_SINGLE_MAX_MB } from "@/facts/limits";
import { READ_TITLES } from "@/facts/names";
import { WeightSplit } from "@/features/home";
import { FactGrid, ProductHero, Section } from "@/features/site";
import { whenNear } from "@/ui/whenNear";

const TARGETS = [
  { title: "按比例", text: "保留百分之几的三角面。不清楚该减多少时，从这里开始试。" },
  { title: "按三角面数", text: "对方要求“不超过五万面”，就直接填五万。" },
  { title: "按文件大小", text: "给定多少 MB，面数与贴图一起向它靠拢。" },
  { title: "按误差", text: "允许的最大偏差，占包围盒对角线的比例。要精度时用它。" },
] as const;

const CARES = [
  { title: "先看后减", text: "先体检，再动手。多少面、多大贴图、哪里有毛病，处理前都已数清。" },
  { title: "整体一笔账", text: "误差预算在所有部件之间统一分配，不会一处光滑、一处稀烂。" },
  { title: "接缝与轮廓", text: "贴图接缝和开口边先受保护，减面之后贴图不撕裂。" },
  { title: "贴图也能瘦", text: "可以限定贴图最长边；大图是体积的常客。" },
  { title: "原件不动", text: "每次结果单独保存，可以换目标再来，原文件始终是您传上来的那一份。" },
  { title: "比过再下载", text: "前后两个窗口同步转动，面数与体积写在旁边。" },
] as const;

/** The content service's text for this page, if any. */
const ProductText = whenNear(() => import("@/features/article").then((module) => module.PlacedText), 0);

export default function SingleLightweightPage() {
  return (
    <>
      <ProductHero
        title="单模型轻量化"
        lead="给定一个目标，玄览云把三角面和贴图减到那里，并说清楚真正做到了多少、误差多大。"
        action={{ text: "上传模型开始", to: "/workbench/myUpload?upload=1" }}
        second={{ text: "选已有模型", to: "/workbench/service?serviceName=lightweight" }}
        picture={<WeightSplit />}
      />
      <Section ground="paper" title="目标有四种定法">
        <FactGrid facts={TARGETS} columns={2} />
      </Section>
      <Section title="减的时候，在意这些">
        <FactGrid facts={CARES} />
        <Box component="p" sx={{ m: 0, mt: 6, color: "text.secondary" }}>
          目前接受 {READ_TITLES}，单个文件免费版 {FREE_SINGLE_MAX_MB} MB、会员 {MEMBER_SINGLE_MAX_MB} MB
          以内。目前限时免费，不限次数。
        </Box>
      </Section>
      <ProductText kind="product" />
    </>
  );
}
