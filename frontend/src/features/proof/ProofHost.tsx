import { type ComponentType, useEffect, useState } from "react";
import { setProofHost } from "@/api/proof";
import { failureMessages } from "@/messages/failures";
import { toast } from "@/ui/toast";

interface Open {
  Dialog: ComponentType<{ onDone: (confirmed: boolean) => void }>;
  settle: (confirmed: boolean) => void;
}

/** Shows the re-authentication dialog when a call was refused for lack of fresh proof; its script is loaded only then. */
export function ProofHost() {
  const [open, setOpen] = useState<Open>();

  useEffect(() => {
    let settleLast: (confirmed: boolean) => void = () => undefined;
    setProofHost(async () => {
      const loaded = await import(/* webpackChunkName: "proof" */ "./ProofDialog").catch(() => undefined);
      if (!loaded) {
        toast.error(failureMessages.chunkFailed);
        return false;
      }
      return new Promise((settle) => {
        settleLast = settle;
        setOpen({ Dialog: loaded.default, settle });
      });
    });
    return () => {
      setProofHost(undefined);
      // Leaving the page counts as not confirmed.
      settleLast(false);
    };
  }, []);

  if (!open) return null;
  const { Dialog, settle } = open;
  return (
    <Dialog
      onDone={(confirmed) => {
        setOpen(undefined);
        settle(confirmed);
      }}
    />
  );
}
