import { useSearchParams } from "react-router";
import { useContentCategoriesQuery, useContentListQuery } from "@/calls/content";
import {
  CardGrid,
  CardsWaiting,
  Column,
  Lead,
  Part,
  PlainArticle,
  useArticle,
  WithArticle,
} from "@/features/article";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";

/** Courses, or one of them (`id`). */
export default function TeachPage() {
  const [query] = useSearchParams();
  const id = query.get("id") ?? undefined;
  return id || query.has("preview") ? <Course id={id} /> : <Courses />;
}

function Course({ id }: { id: string | undefined }) {
  return (
    <WithArticle kind="teach" state={useArticle("teach", id)}>
      {(shown) => <PlainArticle kind="teach" shown={shown} />}
    </WithArticle>
  );
}

function Courses() {
  const categories = useContentCategoriesQuery({ kind: "teach" });
  const list = useContentListQuery({ kind: "teach", pageNo: 1, pageSize: 100 });
  const cards = list.data?.results;
  const groups = (categories.data?.categories ?? [])
    .map((category) => ({ category, cards: (cards ?? []).filter((card) => card.categoryId === category.id) }))
    .filter((group) => group.cards.length > 0);
  const loose = (cards ?? []).filter((card) => !groups.some((group) => group.cards.includes(card)));
  return (
    <Column>
      <Lead title="教程">跟着步骤做完一件事，步骤旁边是可以转动的模型。</Lead>
      {list.isError && !cards && <ReadFailed what="教程" onRetry={() => void list.refetch()} />}
      {!list.isError && !cards && <CardsWaiting />}
      {cards?.length === 0 && <EmptyState title="还没有教程" hint="帮助中心里有按任务写的说明。" />}
      {groups.map(({ category, cards: own }) => (
        <Part key={category.id} title={category.title} note={category.summary}>
          <CardGrid
            cards={own}
            label={category.title}
            note={({ steps }) => (steps > 0 ? `${steps} 步` : "")}
          />
        </Part>
      ))}
      {loose.length > 0 && (
        <Part title={groups.length > 0 ? "其他" : "全部教程"}>
          <CardGrid cards={loose} label="其他教程" note={({ steps }) => (steps > 0 ? `${steps} 步` : "")} />
        </Part>
      )}
    </Column>
  );
}
