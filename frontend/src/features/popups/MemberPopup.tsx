import { useEffect, useRef, useState } from "react";
import {
  type PersonalMemberPopup,
  useCancelMemberPopupMutation,
  useGetMemberPopupMutation,
} from "@/calls/personal";
import { useTurn } from "@/features/tour";
import { doneToday, wasDoneToday } from "@/session/daily";
import { MemberPopupDialog } from "./late";

/** The only type of member popups. */
const TYPE = 1;

/**
 * A text for signed-in users, requested once a day; once closed, it is not shown to them again.
 *
 * @param here whether this page may show it; otherwise it waits for a page that may
 */
export function MemberPopup({ here }: { here: boolean }) {
  const [ask] = useGetMemberPopupMutation();
  const [cancel] = useCancelMemberPopupMutation();
  const [popup, setPopup] = useState<PersonalMemberPopup | null>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (!here || asked.current || wasDoneToday("memberPopup")) return;
    asked.current = true;
    ask({ type: TYPE, isJson: true }).then(({ data, error }) => {
      // After an error it is requested again.
      if (error) return;
      doneToday("memberPopup");
      setPopup(data ?? null);
    });
  }, [ask, here]);
  const turn = useTurn(here && popup !== null);
  if (!popup || !turn) return null;
  const close = () => {
    setPopup(null);
    void cancel({ popupId: popup.id, isJson: true });
  };
  return <MemberPopupDialog text={popup.tipText} onClose={close} />;
}
