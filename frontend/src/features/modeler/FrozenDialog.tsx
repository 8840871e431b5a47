import { useAsk } from "@/features/ask";
import { modelerMessages } from "@/messages/modeler";
import { ConfirmDialog } from "@/ui/ConfirmDialog";

/** Shown to a frozen maker instead of the centre. */
export function FrozenDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const ask = useAsk();
  return (
    <>
      <ConfirmDialog
        open={open}
        title={modelerMessages.frozen}
        confirmText="联系客服"
        onClose={onClose}
        onConfirm={() => {
          onClose();
          ask.chat();
        }}
      />
      {ask.dialogs}
    </>
  );
}
