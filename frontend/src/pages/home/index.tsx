import { BelowNear, Facts, Hero, WeightSplitNear } from "@/features/home";
import { Section } from "@/features/site";

export default function HomePage() {
  return (
    <>
      <Hero />
      <Facts />
      <Section
        id="weight"
        ground="paper"
        title="同一个模型，轻了多少，自己看"
        note="左边是原来的网格，右边是减过面的。拖动分界线，或换一个保留比例；旁边的数字由画面里的两张网格当场数出。"
      >
        <WeightSplitNear wide />
      </Section>
      <BelowNear />
    </>
  );
}
