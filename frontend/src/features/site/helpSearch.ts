import { HELP_ARTICLES, type HelpArticle } from "./helpArticles";

function textOf(article: HelpArticle): string {
  const parts: string[] = [article.title, article.summary];
  for (const block of article.blocks) {
    if (block.kind === "text" || block.kind === "heading") parts.push(block.text);
    if (block.kind === "list") parts.push(...block.items);
    if (block.kind === "table") parts.push(...block.head, ...block.rows.flat());
  }
  return parts.join("\n").toLowerCase();
}

/** The articles that hold this text; all of them for an empty one. */
export function articlesAbout(query: string): readonly HelpArticle[] {
  const word = query.trim().toLowerCase();
  return word ? HELP_ARTICLES.filter((article) => textOf(article).includes(word)) : HELP_ARTICLES;
}
