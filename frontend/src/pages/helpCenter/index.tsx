import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { ArticleWaiting, Column, Lead } from "@/features/article";
import { AskedByAddress } from "@/features/ask";
import { loadChunk } from "@/lib/chunk";
import { HelpHome } from "./HelpHome";

const HelpArticle = lazy(() =>
  loadChunk(() => import("./HelpArticle").then((module) => ({ default: module.HelpArticle }))),
);
const HelpResults = lazy(() =>
  loadChunk(() => import("./HelpResults").then((module) => ({ default: module.HelpResults }))),
);

/** The help centre: all groups, one group (`cid`), search results (`keyword`), or one article (`id`); beside it what is asked of us (`ask`). */
export default function HelpCenterPage() {
  return (
    <>
      <HelpPage />
      <AskedByAddress />
    </>
  );
}

function HelpPage() {
  const [query] = useSearchParams();
  const id = query.get("id") ?? undefined;
  const keyword = query.get("keyword")?.trim() ?? "";
  if (id || query.has("preview"))
    return (
      <Suspense
        fallback={
          <Column>
            <ArticleWaiting />
          </Column>
        }
      >
        <HelpArticle id={id} />
      </Suspense>
    );
  if (keyword)
    return (
      <Suspense
        fallback={
          <Column>
            <Lead title="帮助中心" />
          </Column>
        }
      >
        <HelpResults keyword={keyword} />
      </Suspense>
    );
  return <HelpHome category={query.get("cid") ?? ""} />;
}
