import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { TransactionFavouriteFolder } from "@/calls/transaction";

/** Selects one of the other folders. */
export function FolderChoice({
  folders,
  without,
  value,
  onChange,
}: {
  folders: readonly TransactionFavouriteFolder[];
  without: string;
  value: string;
  onChange: (folderId: string) => void;
}) {
  return (
    <TextField
      select
      fullWidth
      margin="dense"
      label="移动到"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {folders
        .filter(({ folderId }) => folderId !== without)
        .map(({ folderId, name, count }) => (
          <MenuItem key={folderId} value={folderId}>
            {`${name}（${count}）`}
          </MenuItem>
        ))}
    </TextField>
  );
}
