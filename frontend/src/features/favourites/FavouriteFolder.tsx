import Button from "@mui/material/Button";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useFavouriteFoldersQuery } from "@/calls/transaction";
import { useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { useQueryFields } from "@/ui/useQueryFields";
import { DeleteDialog } from "./DeleteDialog";
import { FolderDialog } from "./FolderDialog";
import { Models } from "./Models";
import { DEFAULT_FOLDER, FOLDERS } from "./paths";

/** One folder, given by the address; without `id` the default folder. */
export function FavouriteFolder() {
  const { loginId } = useSession();
  const navigate = useNavigate();
  const [query] = useQueryFields();
  const id = query.get("id")?.slice(0, 64) || DEFAULT_FOLDER;
  const folders = useFavouriteFoldersQuery({ userId: loginId }, { refetchOnMountOrArgChange: true });
  const [asked, setAsked] = useState<"rename" | "delete">();
  const folder = folders.data?.results.find((one) => one.folderId === id);
  const back = (
    <Button component={Link} to={FOLDERS} variant="outlined" color="inherit">
      全部收藏夹
    </Button>
  );
  if (!folders.data)
    return (
      <>
        <PageHeader title="收藏夹" actions={back} />
        {folders.isError && !folders.isFetching ? (
          <ReadFailed what="收藏夹" onRetry={() => void folders.refetch()} />
        ) : (
          <LinesSkeleton lines={8} />
        )}
      </>
    );
  if (!folder)
    return (
      <EmptyState heading="h1" kind="search" title="没有这个收藏夹" hint="它可能已被删除。" action={back} />
    );
  return (
    <>
      <PageHeader
        title={folder.name}
        note={`${folder.count} 个模型`}
        actions={
          <>
            {back}
            <Button variant="outlined" color="inherit" onClick={() => setAsked("rename")}>
              重命名
            </Button>
            {id !== DEFAULT_FOLDER && (
              <Button variant="outlined" color="error" onClick={() => setAsked("delete")}>
                删除
              </Button>
            )}
          </>
        }
      />
      <Models key={id} folderId={id} />
      <FolderDialog open={asked === "rename"} folder={folder} onClose={() => setAsked(undefined)} />
      <DeleteDialog
        folder={asked === "delete" ? folder : undefined}
        folders={folders.data.results}
        onClose={() => setAsked(undefined)}
        onDeleted={() => void navigate(FOLDERS, { replace: true })}
      />
    </>
  );
}
