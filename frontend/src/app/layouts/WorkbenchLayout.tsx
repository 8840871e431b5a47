import { useMemo, useState } from "react";
import { Outlet } from "react-router";
import { useQueryCommentIsReadQuery } from "@/calls/personal";
import { ClosingBanner } from "@/features/closing";
import { FrozenDialog, useModeler } from "@/features/modeler";
import { useSession } from "@/session";
import { RailFrame } from "./RailFrame";
import { MODELER_RAIL, type RailEntry, WORKBENCH_RAIL } from "./railEntries";

const COMMENTS = ["/workbench/myComment"] as const;
const WITH_CENTRE = [...WORKBENCH_RAIL, MODELER_RAIL];

/** The signed-in user's pages: rail, dense content. Makers have an additional group, which frozen users cannot enter. */
export default function WorkbenchLayout() {
  const { listed, frozen } = useModeler();
  const { loginId } = useSession();
  const comments = useQueryCommentIsReadQuery({ userId: loginId }, { skip: !loginId }).data;
  const [shown, setShown] = useState(false);
  const stop = useMemo(
    () =>
      frozen
        ? (entry: RailEntry) => {
            const blocked = MODELER_RAIL.entries.includes(entry);
            if (blocked) setShown(true);
            return blocked;
          }
        : undefined,
    [frozen],
  );
  return (
    <RailFrame
      groups={listed ? WITH_CENTRE : WORKBENCH_RAIL}
      label="工作台"
      dots={comments && !comments.isreadComment ? COMMENTS : undefined}
      stop={stop}
    >
      <ClosingBanner />
      <Outlet />
      {frozen && <FrozenDialog open={shown} onClose={() => setShown(false)} />}
    </RailFrame>
  );
}
