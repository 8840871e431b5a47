import { useEffect, useRef } from "react";
import { invalidateMessages, useQueryMessageIsReadQuery } from "@/calls/personal";
import { useQueue } from "@/realtime";
import { unreadMessagesKnown, useSession } from "@/session";
import { useAppDispatch } from "@/store/hooks";

/** News of messages come in a row; lists are asked for once. */
const PAUSE_MS = 300;

/** Keeps dots and lists of messages up to date in every tab: as the server tells, and after a lost connection. */
export default function MessageNews() {
  const dispatch = useAppDispatch();
  const { loginId } = useSession();
  const { data: flags, fulfilledTimeStamp } = useQueryMessageIsReadQuery({ userId: loginId });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same answer given anew corrects what was pushed since.
  useEffect(() => {
    if (flags) dispatch(unreadMessagesKnown(!flags.isreadAllMessage));
  }, [flags, fulfilledTimeStamp, dispatch]);

  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const refresh = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => dispatch(invalidateMessages()), PAUSE_MS);
  };
  const { connections } = useQueue("MESSAGE", refresh);
  // What was told while the line was down was not heard; the first connection comes with the page.
  const heard = useRef(connections);
  useEffect(() => {
    if (connections > heard.current && heard.current > 0) dispatch(invalidateMessages());
    heard.current = connections;
  }, [connections, dispatch]);
  return null;
}
