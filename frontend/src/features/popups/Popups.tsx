import { useLocation } from "react-router";
import { useSession } from "@/session";
import { MemberPopup } from "./MemberPopup";
import { PopupAd } from "./PopupAd";
import { memberPopupAt, placeOf } from "./places";

/** The operators' popups: ads on the home page and the workbench, a text for signed-in users. */
export default function Popups() {
  const { pathname } = useLocation();
  const { loginId } = useSession();
  const place = placeOf(pathname);
  return (
    <>
      {loginId && <MemberPopup key={loginId} here={memberPopupAt(pathname)} />}
      {place && <PopupAd key={place} place={place} />}
    </>
  );
}
