import Box from "@mui/material/Box";
import { MessageList } from "@/features/messages";

/** The same list, outside the workbench. */
export default function MessagePage() {
  return (
    <Box sx={{ maxWidth: 960, mx: "auto", px: 2, py: 4 }}>
      <MessageList group="" />
    </Box>
  );
}
