import Button from "@mui/material/Button";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Application } from "./Application";
import { FrozenDialog } from "./FrozenDialog";
import { useModeler } from "./useModeler";

/** Restricts the centre's pages to approved makers: others apply here, frozen ones see a notice. */
export function ModelerGate({ title, children }: { title: string; children: ReactNode }) {
  const { approved, frozen, loading, failed, retry } = useModeler();
  if (frozen) return <Frozen />;
  if (loading) return <LinesSkeleton lines={8} />;
  if (failed && !approved)
    return (
      <>
        <h1 style={{ margin: 0, fontSize: 24 }}>{title}</h1>
        <ReadFailed what="模型师状态" onRetry={retry} />
      </>
    );
  return approved ? children : <Application />;
}

function Frozen() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <EmptyState
        heading="h1"
        kind="closed"
        title="模型师中心暂不能进入"
        hint="账户冻结期间商城不展示您的模型，也不能提交新的模型；已购买的用户不受影响。"
        action={
          <>
            <Button component={Link} to="/workbench">
              返回工作台
            </Button>
            <Button variant="contained" onClick={() => setOpen(true)}>
              查看说明
            </Button>
          </>
        }
      />
      <FrozenDialog open={open} onClose={() => setOpen(false)} />
    </>
  );
}
