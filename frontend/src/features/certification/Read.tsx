import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { EmptyState } from "@/ui/EmptyState";
import { LinesSkeleton } from "@/ui/Skeletons";
import { type Certifications, useCertifications } from "./state";

/** Renders the certifications once they are loaded. */
export function Read({ children }: { children: (certifications: Certifications) => ReactNode }) {
  const certifications = useCertifications();
  if (certifications.failed)
    return (
      <EmptyState
        kind="error"
        title="认证信息没有读到"
        hint="检查网络后再试一次；若刚刚退出登录，请重新登录"
        action={
          <Button variant="outlined" onClick={certifications.refetch}>
            重新读取
          </Button>
        }
      />
    );
  if (certifications.loading) return <LinesSkeleton lines={6} />;
  return children(certifications);
}
