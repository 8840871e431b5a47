import { Outlet } from "react-router";
import { GiftStrip } from "./GiftStrip";
import { RailFrame } from "./RailFrame";
import { PERSONAL_RAIL } from "./railEntries";

/** The personal centre: profile, assets and account settings. */
export default function PersonalLayout() {
  return (
    <RailFrame groups={PERSONAL_RAIL} label="个人中心">
      <GiftStrip />
      <Outlet />
    </RailFrame>
  );
}
