import { Fragment, type ReactNode, useState } from "react";
import { useSession } from "@/session";

/**
 * Draws its children anew when another account takes the place of the last one, so that nothing typed or chosen for one is stored at the
 * other. Signing in as a visitor, or again as the same user, keeps them.
 */
export function PerAccount({ children }: { children: ReactNode }) {
  const { loginId } = useSession();
  const [last, setLast] = useState({ loginId, count: 0 });
  if (loginId && loginId !== last.loginId)
    setLast({ loginId, count: last.loginId ? last.count + 1 : last.count });
  return <Fragment key={last.count}>{children}</Fragment>;
}
