import Box from "@mui/material/Box";
import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import IconButton from "@mui/material/IconButton";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { useState } from "react";
import Close from "@/ui/icons/Close";
import { FeedbackForm } from "./FeedbackForm";
import { MyFeedback } from "./MyFeedback";

/** The same for both tabs, so that the dialog does not jump; a low window takes what it can. */
const HEIGHT = 700;

/** Problems and suggestions: the form, and earlier feedback. */
export function FeedbackDialog({
  mine = false,
  onClose,
}: {
  /** Opens at the earlier feedback. */
  mine?: boolean;
  onClose: () => void;
}) {
  const [tab, setTab] = useState<"form" | "mine">(mine ? "mine" : "form");
  const [sent, setSent] = useState(0);
  return (
    <Dialog
      open
      fullWidth
      maxWidth="sm"
      slotProps={{ paper: { "aria-label": "问题与建议", sx: { height: HEIGHT } } }}
      // A click outside must not discard input.
      onClose={(_event, reason) => reason === "escapeKeyDown" && onClose()}
    >
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          px: 3,
          pt: 1.5,
          borderBottom: 1,
          borderColor: "divider",
          flex: "none",
        }}
      >
        <Tabs value={tab} onChange={(_event, value: "form" | "mine") => setTab(value)} sx={{ flex: 1 }}>
          <Tab value="form" label="问题与建议" />
          <Tab value="mine" label="我的反馈" />
        </Tabs>
        <IconButton aria-label="关闭" onClick={onClose}>
          <Close />
        </IconButton>
      </Box>
      {/* Nor must switching tabs: the form stays mounted. */}
      <FeedbackForm
        key={sent}
        hidden={tab !== "form"}
        onDone={() => {
          setSent(sent + 1);
          setTab("mine");
        }}
      />
      {tab === "mine" && (
        <DialogContent>
          <MyFeedback />
        </DialogContent>
      )}
    </Dialog>
  );
}
