export { type Fact, FactGrid } from "./FactGrid";
export { HelpArticle, HelpList, HelpSearch } from "./Help";
export { HELP_ARTICLES } from "./helpArticles";
export { articlesAbout } from "./helpSearch";
export { type Clause, Legal } from "./Legal";
export { ProductHero } from "./ProductHero";
export { Section } from "./Section";
