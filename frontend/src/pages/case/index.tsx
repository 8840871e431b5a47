import { CardGrid, KindList } from "@/features/article";

export default function CasePage() {
  return (
    <KindList kind="case" lead="示例工程：模型都由我们自己生成，从哪里来、怎样处理、前后多重，逐项写明。">
      {(cards) => (
        <CardGrid cards={cards} label="案例" heading="h2" note={({ categoryTitle }) => categoryTitle} />
      )}
    </KindList>
  );
}
