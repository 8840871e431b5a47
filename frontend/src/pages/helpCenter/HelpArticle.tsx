import Box from "@mui/material/Box";
import { Link } from "react-router";
import { PlainArticle, useArticle, WithArticle } from "@/features/article";
import { groupPath, useHelpGroups } from "./useHelp";

/** One article, with the table of contents of the help centre beside it. */
export function HelpArticle({ id }: { id: string | undefined }) {
  const state = useArticle("help", id);
  return (
    <WithArticle kind="help" state={state}>
      {(shown) => (
        <PlainArticle
          kind="help"
          shown={shown}
          beside={<Beside current={shown.card.id} group={shown.card.categoryId} />}
        />
      )}
    </WithArticle>
  );
}

/** The groups; the current one is open. */
function Beside({ current, group }: { current: string; group: string }) {
  const { groups } = useHelpGroups();
  return (
    <Box
      component="nav"
      aria-label="帮助目录"
      sx={{ maxHeight: "calc(100vh - 120px)", overflowY: "auto", fontSize: 14 }}
    >
      {groups.map(({ category, cards }) => (
        <Box key={category.id}>
          <Box
            component={Link}
            to={groupPath(category)}
            sx={{
              display: "block",
              py: 1,
              fontWeight: 500,
              color: category.id === group ? "primary.main" : "text.primary",
              textDecoration: "none",
            }}
          >
            {category.title}
          </Box>
          {category.id === group &&
            cards.map((card) => (
              <Box
                key={card.id}
                component={Link}
                to={card.path}
                aria-current={card.id === current ? "page" : undefined}
                sx={{
                  display: "block",
                  pl: 1.5,
                  py: 0.75,
                  lineHeight: "22px",
                  borderLeft: 2,
                  borderColor: "divider",
                  color: "text.secondary",
                  textDecoration: "none",
                  "&:hover, &[aria-current]": { color: "primary.main" },
                  "&[aria-current]": { borderColor: "primary.main" },
                }}
              >
                {card.title}
              </Box>
            ))}
        </Box>
      ))}
    </Box>
  );
}
