import { useEffect, useRef } from "react";
import { invalidateMe, invalidateMessages, useQueryMessageIsReadQuery } from "@/calls/personal";
import { useNews } from "@/realtime";
import { unreadMessagesKnown, useSession } from "@/session";
import { useAppDispatch } from "@/store/hooks";

/** Debounce: messages arrive in bursts, lists are refetched once. */
const PAUSE_MS = 300;

/** Keeps unread dots, message lists and the profile up to date in every tab, by push and after a reconnect. */
export default function MessageNews() {
  const dispatch = useAppDispatch();
  const { loginId } = useSession();
  const { data: flags, fulfilledTimeStamp } = useQueryMessageIsReadQuery({ userId: loginId });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an identical new response corrects what was pushed since.
  useEffect(() => {
    if (flags) dispatch(unreadMessagesKnown(!flags.isreadAllMessage));
  }, [flags, fulfilledTimeStamp, dispatch]);

  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const refresh = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => dispatch(invalidateMessages()), PAUSE_MS);
  };
  useNews("MESSAGE", refresh);
  useNews("PROFILE", () => void dispatch(invalidateMe()));
  return null;
}
