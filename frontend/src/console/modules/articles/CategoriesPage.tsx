import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { type Column, DataTable } from "@/ui/DataTable";
import { type ContentContentCategory, useContentCategoryListQuery } from "../../api/generated/content";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { Card, PageTitle } from "../../kit/page";
import { Loaded, Nothing } from "../../kit/states";
import { useMay } from "../../session/slice";
import { CategoryDialog } from "./CategoryDialog";
import { KINDS, readKind } from "./words";

/** The tree of a kind's categories, in the order of the site. */
export default function CategoriesPage() {
  const may = useMay();
  const [params, setParams] = useSearchParams();
  const kind = readKind(params.get("kind"));
  const query = useContentCategoryListQuery({ kind }, { refetchOnMountOrArgChange: true });
  const [open, setOpen] = useState<{ category?: ContentContentCategory }>();
  const all = query.currentData?.categories ?? [];
  const parent = (id: string) => all.find((one) => one.id === id)?.title ?? "";
  const columns: readonly Column<ContentContentCategory>[] = [
    {
      key: "title",
      title: "名称",
      render: ({ title, parentId }) => (parentId ? `${parent(parentId)} / ${title}` : title),
    },
    { key: "slug", title: "短名", secondary: true, render: ({ slug }) => slug },
    { key: "order", title: "排序", numeric: true, render: ({ order }) => order },
    { key: "articles", title: "已发布", numeric: true, render: ({ articles }) => articles },
    { key: "summary", title: "说明", secondary: true, render: ({ summary }) => summary },
    {
      key: "act",
      title: "操作",
      render: (category) =>
        may("article.publish") && (
          <Button
            size="small"
            sx={{ minHeight: 24, py: 0, px: 0.5, minWidth: 0 }}
            aria-label={`修改 ${category.title}`}
            onClick={() => setOpen({ category })}
          >
            修改
          </Button>
        ),
    },
  ];
  return (
    <>
      <PageTitle
        back={{ to: "/articles", text: "文章" }}
        title="文章分类"
        note="保存后网站的目录立即变化"
        actions={
          may("article.publish") && (
            <Button size="small" variant="contained" onClick={() => setOpen({})}>
              添加
            </Button>
          )
        }
      />
      <Box sx={{ maxWidth: 240 }}>
        <ChoiceInput
          label="类型"
          value={kind}
          choices={KINDS}
          onChange={(chosen) => setParams({ kind: chosen }, { replace: true })}
        />
      </Box>
      <Card title="分类" flush>
        <Loaded query={query} what="分类" rows={6}>
          {({ categories }) =>
            categories.length > 0 ? (
              <DataTable caption="分类列表" columns={columns} rows={categories} rowKey={({ id }) => id} />
            ) : (
              <Nothing title="这个类型还没有分类。" />
            )
          }
        </Loaded>
      </Card>
      {open && (
        <CategoryDialog
          kind={kind}
          category={open.category}
          parents={all.filter(({ parentId, id }) => !parentId && id !== open.category?.id)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
