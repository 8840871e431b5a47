import Button from "@mui/material/Button";
import { Link } from "react-router";
import { type ContentArticleItem, contentApi, useArticleListQuery } from "../../api/generated/content";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { useList } from "../../kit/useList";
import { useMay } from "../../session/slice";
import { KINDS, pathOf, STATES } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "标题、短名或编号" },
  { kind: "choice", name: "kind", label: "类型", choices: KINDS },
  { kind: "choice", name: "state", label: "状态", choices: STATES },
];

const hasDraft = ({ latestRevision, publishedRevision }: ContentArticleItem) =>
  publishedRevision > 0 && latestRevision !== publishedRevision;

const COLUMNS: readonly ListColumn<ContentArticleItem>[] = [
  {
    key: "title",
    title: "文章",
    render: (one) => <RowLink to={pathOf(one.id)}>{one.title || one.slug}</RowLink>,
    csv: ({ title }) => title,
  },
  {
    key: "kind",
    title: "类型",
    width: 96,
    render: ({ kind }) => wordOf(KINDS, kind).text,
    csv: ({ kind }) => wordOf(KINDS, kind).text,
  },
  {
    key: "state",
    title: "状态",
    width: 160,
    render: (one) => (
      <>
        <State words={STATES} value={one.state} />
        {hasDraft(one) && " 有新草稿"}
      </>
    ),
    csv: ({ state }) => wordOf(STATES, state).text,
  },
  { key: "slug", title: "短名", secondary: true, render: ({ slug }) => slug, csv: ({ slug }) => slug },
  {
    key: "source",
    title: "来源",
    secondary: true,
    width: 96,
    render: ({ fromSeed }) => (fromSeed ? "随程序" : "运营"),
    csv: ({ fromSeed }) => (fromSeed ? "随程序" : "运营"),
  },
  {
    key: "published",
    title: "发布时间",
    secondary: true,
    width: 144,
    render: ({ publishedAt }) => (publishedAt > 0 ? minute(publishedAt) : "—"),
    csv: ({ publishedAt }) => (publishedAt > 0 ? minute(publishedAt) : ""),
  },
  {
    key: "updated",
    title: "最近修改",
    numeric: true,
    secondary: true,
    width: 144,
    render: ({ updatedAt }) => minute(updatedAt),
    csv: ({ updatedAt }) => minute(updatedAt),
  },
];

/** All articles of the site, in any state. */
export default function ListPage() {
  const may = useMay();
  const state = useList(FILTERS);
  const { kind } = state.values;
  const query = useArticleListQuery(
    { ...state.values, after: state.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle title="文章" note="帮助、教程、新闻、案例、方案与专题；保存是草稿，发布后网站才会展示" />
      <List
        id="articles"
        what="文章"
        filters={FILTERS}
        state={state}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        result={page && { rows: page.articles, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        fetchPage={async (after) => {
          const { articles, next } = await runQuery(
            contentApi.endpoints.articleList.initiate(
              { ...state.values, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: articles, next };
        }}
        actions={
          may("article.edit") && (
            <Button
              size="small"
              variant="contained"
              component={Link}
              to={`/articles/new${kind ? `?kind=${kind}` : ""}`}
            >
              新建
            </Button>
          )
        }
      />
    </>
  );
}
