import { useSearchParams } from "react-router";
import { KindList, PlainArticle, useArticle, WithArticle } from "@/features/article";
import { NewsRows } from "./NewsRows";

/** News, all or of a category (`parentId`, `cid`); with `id` the article itself. */
export default function NewsPage() {
  const [query] = useSearchParams();
  const id = query.get("id");
  if (id) return <NewsArticle id={id} />;
  return (
    <KindList kind="news" lead="更新了什么，量出了什么，以及规则的变动。">
      {(cards) => <NewsRows cards={cards} />}
    </KindList>
  );
}

export function NewsArticle({ id }: { id: string | undefined }) {
  return (
    <WithArticle kind="news" state={useArticle("news", id)}>
      {(shown) => <PlainArticle kind="news" shown={shown} />}
    </WithArticle>
  );
}
