import type { ConsoleModule } from "../../kit/contract";

const articles: ConsoleModule = {
  id: "articles",
  title: "文章",
  group: "content",
  order: 25,
  icon: "M6 3h9l4 4v14H6ZM15 3v4h4M9 12h7M9 16h7",
  permission: "article.read",
  routes: [
    { path: "", title: "文章", load: () => import("./ListPage") },
    { path: "categories", title: "文章分类", load: () => import("./CategoriesPage") },
    { path: "redirects", title: "地址跳转", load: () => import("./RedirectsPage") },
    {
      path: "new",
      title: "新建文章",
      permission: "article.edit",
      rail: false,
      load: () => import("./NewPage"),
    },
    { path: ":id", title: "一篇文章", load: () => import("./ArticlePage") },
  ],
  names: {
    "article.read": "查看文章",
    "article.edit": "编辑文章",
    "article.publish": "发布文章，管理分类与跳转",
    K190: "查看文章列表",
    K191: "查看文章",
    K192: "查看文章的旧版本",
    K193: "保存文章草稿",
    K194: "提交或退回文章",
    K195: "发布文章",
    K196: "撤下文章",
    K197: "恢复文章的旧版本",
    K198: "生成文章预览链接",
    K199: "查看文章分类",
    K200: "保存文章分类",
    K201: "查看地址跳转",
    K202: "保存地址跳转",
    K203: "移除地址跳转",
  },
};

export default articles;
