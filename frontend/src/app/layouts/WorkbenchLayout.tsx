import { Outlet } from "react-router";
import { RailFrame } from "./RailFrame";
import { WORKBENCH_RAIL } from "./railEntries";

/** The signed-in person's own rooms: rail, dense pages. */
export default function WorkbenchLayout() {
  return (
    <RailFrame groups={WORKBENCH_RAIL} label="工作台">
      <Outlet />
    </RailFrame>
  );
}
