import { useSearchParams } from "react-router";
import { CardGrid, KindList, PlacedText, PlainArticle, useArticle, WithArticle } from "@/features/article";

/** Current campaigns, each linked to its page; one without a page is shown here (`id`). */
export default function LatestEventsPage() {
  const [query] = useSearchParams();
  const id = query.get("id") ?? undefined;
  return id || query.has("preview") ? (
    <One id={id} />
  ) : (
    <KindList
      kind="campaign"
      lead="正在进行的专题，每个讲清一项服务，页面上就能试。"
      intro={<PlacedText kind="product" />}
    >
      {(cards) => <CardGrid cards={cards} label="活动" heading="h2" note={({ date }) => date} />}
    </KindList>
  );
}

function One({ id }: { id: string | undefined }) {
  return (
    <WithArticle kind="campaign" state={useArticle("campaign", id)}>
      {(shown) => <PlainArticle kind="campaign" shown={shown} />}
    </WithArticle>
  );
}
