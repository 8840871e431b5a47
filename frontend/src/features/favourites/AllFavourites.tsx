import Button from "@mui/material/Button";
import { Link } from "react-router";
import { PageHeader } from "@/ui/PageHeader";
import { Models } from "./Models";
import { FOLDERS } from "./paths";

/** Favourites of all folders, without duplicates. */
export function AllFavourites() {
  return (
    <>
      <PageHeader
        title="收藏的模型"
        note="所有收藏夹里的模型。从商城下架的会留在这里，并注明原因"
        actions={
          <Button component={Link} to={FOLDERS} variant="outlined" color="inherit">
            全部收藏夹
          </Button>
        }
      />
      <Models />
    </>
  );
}
