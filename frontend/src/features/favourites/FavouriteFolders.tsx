import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { type TransactionFavouriteFolder, useFavouriteFoldersQuery } from "@/calls/transaction";
import { useSession } from "@/session";
import { PageHeader } from "@/ui/PageHeader";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Thumb } from "@/ui/Thumb";
import { DeleteDialog } from "./DeleteDialog";
import { FolderDialog } from "./FolderDialog";
import { ALL, DEFAULT_FOLDER, FOLDERS, folderPath, NEW } from "./paths";

/** All favourite folders; `making`: opens the dialog for a new one. */
export function FavouriteFolders({ making = false }: { making?: boolean }) {
  const { loginId } = useSession();
  const navigate = useNavigate();
  const list = useFavouriteFoldersQuery({ userId: loginId }, { refetchOnMountOrArgChange: true });
  const [renamed, setRenamed] = useState<TransactionFavouriteFolder>();
  const [deleted, setDeleted] = useState<TransactionFavouriteFolder>();
  const folders = list.data?.results ?? [];
  return (
    <>
      <PageHeader
        title="我的收藏"
        note={list.data && `${folders.length} 个收藏夹，收藏了 ${list.data.models} 个模型`}
        actions={
          <>
            <Button component={Link} to={ALL} variant="outlined" color="inherit">
              全部收藏
            </Button>
            <Button component={Link} to={NEW} variant="contained">
              新建收藏夹
            </Button>
          </>
        }
      />
      {list.isError && !list.isFetching && <ReadFailed what="收藏夹" onRetry={() => void list.refetch()} />}
      {!list.isError && !list.data && <LinesSkeleton lines={8} />}
      {list.data && (
        <Box
          component="ul"
          aria-label="收藏夹"
          sx={{
            listStyle: "none",
            m: 0,
            p: 0,
            display: "grid",
            gap: 2,
            gridTemplateColumns: "repeat(auto-fill, minmax(240px, 1fr))",
          }}
        >
          {folders.map((folder) => (
            <Folder
              key={folder.folderId}
              folder={folder}
              onRename={() => setRenamed(folder)}
              onDelete={() => setDeleted(folder)}
            />
          ))}
        </Box>
      )}
      <FolderDialog
        open={making || renamed !== undefined}
        folder={renamed}
        onClose={() => {
          setRenamed(undefined);
          if (making) void navigate(FOLDERS, { replace: true });
        }}
      />
      <DeleteDialog
        key={deleted?.folderId}
        folder={deleted}
        folders={folders}
        onClose={() => setDeleted(undefined)}
      />
    </>
  );
}

function Folder({
  folder,
  onRename,
  onDelete,
}: {
  folder: TransactionFavouriteFolder;
  onRename: () => void;
  onDelete: () => void;
}) {
  const pictures = [0, 1, 2].map((at) => folder.previews[at]);
  return (
    <Box
      component="li"
      sx={{
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        bgcolor: "background.paper",
        overflow: "hidden",
        "&:hover": { borderColor: "primary.main" },
      }}
    >
      <Box
        component={Link}
        to={folderPath(folder.folderId)}
        sx={{ display: "block", p: 2, color: "text.primary", textDecoration: "none" }}
      >
        <Box sx={{ display: "flex", gap: 1 }}>
          {pictures.map((src, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: three fixed places, each may be empty
            <Thumb key={at} src={src} size={60} />
          ))}
        </Box>
        <Box sx={{ mt: 1.5, fontWeight: 500, overflowWrap: "anywhere" }}>{folder.name}</Box>
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>{`${folder.count} 个模型`}</Box>
      </Box>
      <Box sx={{ px: 1, pb: 1, display: "flex", gap: 0.5 }}>
        <Button size="small" aria-label={`重命名 ${folder.name}`} onClick={onRename}>
          重命名
        </Button>
        {folder.folderId !== DEFAULT_FOLDER && (
          <Button size="small" color="inherit" aria-label={`删除 ${folder.name}`} onClick={onDelete}>
            删除
          </Button>
        )}
      </Box>
    </Box>
  );
}
