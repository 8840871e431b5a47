import { useEffect, useRef, useState } from "react";
import {
  type PersonalMemberPopup,
  useCancelMemberPopupMutation,
  useGetMemberPopupMutation,
} from "@/calls/personal";
import { useTurn } from "@/features/tour";
import { doneToday, wasDoneToday } from "@/session/daily";
import { MemberPopupDialog } from "./late";

/** The one type of member popups. */
const TYPE = 1;

/**
 * A text to who is signed in, asked for once a day; who closes it is not shown it again.
 *
 * @param here whether it may be shown on this page; it waits for one where it may
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
      // Without an answer it was not checked.
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
