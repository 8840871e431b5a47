import Button from "@mui/material/Button";
import { EmptyState } from "./EmptyState";

/** Something that could not be read, and the way to read it again. */
export function ReadFailed({
  what,
  dense = false,
  onRetry,
}: {
  /** What it is, as the sentence begins. */
  what: string;
  dense?: boolean;
  onRetry: () => void;
}) {
  return (
    <EmptyState
      dense={dense}
      kind="error"
      title={`${what}没有读取成功`}
      hint="请检查网络后重试。"
      action={
        <Button variant="outlined" onClick={onRetry}>
          重试
        </Button>
      }
    />
  );
}
