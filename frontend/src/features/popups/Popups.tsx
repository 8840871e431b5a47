import { useLocation } from "react-router";
import { useSession } from "@/session";
import { MemberPopup } from "./MemberPopup";
import { PopupAd } from "./PopupAd";
import { memberPopupAt, placeOf } from "./places";

/** What operators put over pages: an ad on the home page and one on the workbench, a word to who is signed in. */
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
