import Box from "@mui/material/Box";
import { Link } from "react-router";
import { useContentPagesQuery } from "@/calls/content";

/** All articles, by kind and category; if they fail to load, the map of pages is still shown. */
export function Articles() {
  const { data } = useContentPagesQuery({});
  const groups = (data?.groups ?? []).filter(({ pages }) => pages.length > 0);
  return groups.map(({ kind, title, categoryId, categoryTitle, pages }) => (
    <Box component="section" key={`${kind}/${categoryId}`} sx={{ mt: 5 }}>
      <Box
        component="h2"
        sx={{
          m: 0,
          pb: 1,
          fontSize: 18,
          lineHeight: "28px",
          fontWeight: 600,
          borderBottom: 1,
          borderColor: "divider",
        }}
      >
        {categoryTitle ? `${title}：${categoryTitle}` : title}
      </Box>
      <Box
        component="ul"
        sx={{
          m: 0,
          mt: 1.5,
          p: 0,
          listStyle: "none",
          display: "grid",
          gridTemplateColumns: { xs: "1fr", sm: "repeat(2, 1fr)", md: "repeat(3, 1fr)" },
          columnGap: 3,
        }}
      >
        {pages.map((page) => (
          <li key={page.path}>
            <Box
              component={Link}
              to={page.path}
              sx={{
                display: "inline-block",
                lineHeight: "36px",
                color: "primary.main",
                textDecoration: "none",
                "&:hover": { textDecoration: "underline" },
              }}
            >
              {page.title}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  ));
}
