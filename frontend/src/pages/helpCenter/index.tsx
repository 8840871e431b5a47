import Box from "@mui/material/Box";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { getConfig } from "@/api/config";
import { articlesAbout, HelpArticle, HelpList, HelpSearch } from "@/features/site";
import { EmptyState } from "@/ui/EmptyState";

export default function HelpCenterPage() {
  const [params, setParams] = useSearchParams();
  const [query, setQuery] = useState("");
  const found = useMemo(() => articlesAbout(query), [query]);
  const wanted = params.get("id");
  const shown = found.find((article) => article.id === wanted) ?? found[0];
  const { hotline, contact } = getConfig();

  return (
    <Box sx={{ maxWidth: 1240, mx: "auto", px: 2.5, py: { xs: 4, md: 8 } }}>
      <Box component="h1" sx={{ m: 0, fontSize: { xs: 28, md: 36 }, lineHeight: 1.3, fontWeight: 600 }}>
        帮助中心
      </Box>
      <HelpSearch query={query} onChange={setQuery} />
      <Box
        sx={{
          mt: { xs: 4, md: 6 },
          display: "grid",
          gap: { xs: 3, md: 6 },
          gridTemplateColumns: { xs: "1fr", md: "260px minmax(0, 1fr)" },
          alignItems: "start",
        }}
      >
        <HelpList
          articles={found}
          current={shown?.id}
          onChoose={(id) => setParams({ id }, { preventScrollReset: true })}
        />
        {shown ? (
          <HelpArticle article={shown} />
        ) : (
          <EmptyState
            kind="search"
            title="没有找到相关内容"
            hint={`换一个词试试${hotline ? `，或拨打 ${hotline}` : ""}${contact.email ? `，或写信到 ${contact.email}` : ""}`}
          />
        )}
      </Box>
    </Box>
  );
}
