import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { CollectedWorks } from "@/features/works";
import { LinkTabs } from "@/ui/LinkTabs";
import { PageHeader } from "@/ui/PageHeader";
import { useQueryFields } from "@/ui/useQueryFields";
import { Models } from "./Models";
import { FOLDERS } from "./paths";

const TABS = [
  { id: "models", text: "模型", to: "?" },
  { id: "works", text: "作品", to: "?tab=works" },
];

/** The user's favourites of the whole site: models and works. */
export function MyCollection() {
  const [query] = useQueryFields();
  const works = query.get("tab") === "works";
  return (
    <>
      <PageHeader
        title="我的收藏"
        actions={
          <Button component={Link} to={FOLDERS} variant="outlined" color="inherit">
            管理收藏夹
          </Button>
        }
      />
      <LinkTabs label="收藏" tabs={TABS} current={works ? "works" : "models"} />
      <Box sx={{ mt: 2 }}>{works ? <CollectedWorks /> : <Models />}</Box>
    </>
  );
}
