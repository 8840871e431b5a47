import { Outlet } from "react-router";
import { RailFrame } from "./RailFrame";
import { PUBLISH_RAIL } from "./railEntries";

/** The publish centre: source files on their way to a listing. */
export default function PublishLayout() {
  return (
    <RailFrame groups={PUBLISH_RAIL} label="发布中心">
      <Outlet />
    </RailFrame>
  );
}
