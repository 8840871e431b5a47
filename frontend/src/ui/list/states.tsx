import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { type ComponentProps, isValidElement, type ReactElement } from "react";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";

/** No permission: the code of the gateway (gateway/src/refused.rs), and that of a service (docs/errors.md). */
const FORBIDDEN: readonly unknown[] = [403, 60403];

/** The server's message if permission was denied: retrying does not help. */
function refusalOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return FORBIDDEN.includes(code) ? String(message ?? "") : undefined;
}

interface FailedProps {
  what: string;
  error: unknown;
  dense: boolean;
  onRetry: () => void;
}

/** In place of rows that failed to load. */
export function Failed({ what, error, dense, onRetry }: FailedProps) {
  const refusal = refusalOf(error);
  return refusal === undefined ? (
    <ReadFailed what={what} dense={dense} onRetry={onRetry} />
  ) : (
    <EmptyState kind="closed" dense={dense} title={`没有查看${what}的权限`} hint={refusal} />
  );
}

/** Above rows that failed to reload. */
export function Outdated({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <Alert
      severity="warning"
      sx={{ mb: 1.5 }}
      action={
        <Button color="inherit" size="small" onClick={onRetry}>
          重试
        </Button>
      }
    >
      {`${what}没有更新成功，显示的是此前的内容。`}
    </Alert>
  );
}

export type Empty = Omit<ComponentProps<typeof EmptyState>, "dense"> | ReactElement;

/** A text with its drawing, or a custom element. */
export function EmptyList({ empty, dense }: { empty: Empty; dense: boolean }) {
  return isValidElement(empty) ? empty : <EmptyState dense={dense} {...empty} />;
}
