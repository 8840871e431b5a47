import { useSearchParams } from "react-router";
import { NewsArticle } from "./index";

export default function NewsDetailPage() {
  const [query] = useSearchParams();
  return <NewsArticle id={query.get("id") ?? undefined} />;
}
