import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { useAsk } from "./useAsk";

const DIALOGS = ["chat", "myFeedback"] as const;

/** Opens the dialog that the address names with `ask`, as the links of messages do; visitors sign in first. */
export function AskedByAddress() {
  const [query, setQuery] = useSearchParams();
  const ask = useAsk();
  const wanted = DIALOGS.find((one) => one === query.get("ask"));
  useEffect(() => {
    if (!wanted) return;
    // The conversation on this site, also where new ones are held on another: its answers are here.
    if (!ask.open(wanted)) return;
    // Going back must not open it again.
    setQuery(
      (before) => {
        const rest = new URLSearchParams(before);
        rest.delete("ask");
        return rest;
      },
      { replace: true },
    );
  }, [wanted, ask.open, setQuery]);
  return ask.dialogs;
}
