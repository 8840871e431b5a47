import Button from "@mui/material/Button";
import { EmptyState } from "./EmptyState";

/** The error of a failed load, with a retry button. */
export function ReadFailed({
  what,
  dense = false,
  onRetry,
}: {
  /** Name of the content, as the start of the sentence. */
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
