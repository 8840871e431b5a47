import Box from "@mui/material/Box";
import Dialog from "@mui/material/Dialog";
import IconButton from "@mui/material/IconButton";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ReactNode, useId } from "react";
import CloseIcon from "@/ui/icons/CloseOutlined";

/** Frame of payment dialogs: title with `aside`, scrolling body, fixed foot. */
export function PayFrame({
  title,
  aside,
  width,
  foot,
  onClose,
  children,
}: {
  title: string;
  aside?: ReactNode;
  /** Pixels, on wide screens. */
  width: number;
  foot?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const theme = useTheme();
  const narrow = useMediaQuery(theme.breakpoints.down("sm"));
  return (
    <Dialog
      open
      // A click outside must not abort a payment.
      onClose={(_event, reason) => reason === "escapeKeyDown" && onClose()}
      aria-labelledby={id}
      fullScreen={narrow}
      slotProps={{ paper: { sx: { width: { xs: "100%", sm: width }, maxWidth: "none !important" } } }}
    >
      <Box
        sx={{
          flex: "none",
          display: "flex",
          alignItems: "center",
          gap: 2,
          pl: { xs: 2, sm: 3 },
          pr: { xs: 1, sm: 2 },
          height: 64,
          borderBottom: 1,
          borderColor: "divider",
        }}
      >
        <Box component="h2" id={id} sx={{ m: 0, flex: 1, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
          {title}
        </Box>
        {aside}
        <IconButton aria-label="关闭" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </Box>
      <Box sx={{ flex: 1, overflowY: "auto", px: { xs: 2, sm: 3 }, py: 2.5 }}>{children}</Box>
      {foot && (
        <Box
          sx={{
            flex: "none",
            display: "flex",
            alignItems: "center",
            flexWrap: "wrap",
            gap: 2,
            px: { xs: 2, sm: 3 },
            py: 2,
            borderTop: 1,
            borderColor: "divider",
          }}
        >
          {foot}
        </Box>
      )}
    </Dialog>
  );
}
