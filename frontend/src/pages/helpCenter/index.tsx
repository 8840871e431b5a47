import { useSearchParams } from "react-router";
import { HelpArticle } from "./HelpArticle";
import { HelpHome } from "./HelpHome";
import { HelpResults } from "./HelpResults";

/** The help centre: all groups, one group (`cid`), search results (`keyword`), or one article (`id`). */
export default function HelpCenterPage() {
  const [query] = useSearchParams();
  const id = query.get("id") ?? undefined;
  const keyword = query.get("keyword")?.trim() ?? "";
  if (id || query.has("preview")) return <HelpArticle id={id} />;
  if (keyword) return <HelpResults keyword={keyword} />;
  return <HelpHome category={query.get("cid") ?? ""} />;
}
