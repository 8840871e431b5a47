import Box from "@mui/material/Box";
import Dialog from "@mui/material/Dialog";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import CloseIcon from "@/ui/icons/CloseOutlined";
import { leadOf } from "@/ui/leadOf";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";

const PICTURE = {
  display: "block",
  maxWidth: "min(560px, calc(100vw - 48px))",
  maxHeight: "min(720px, calc(100dvh - 112px))",
} as const;

/** Readable on any picture: white on its own dark ground. */
const ON_PICTURE = { position: "absolute", color: "#fff", bgcolor: "rgba(11,16,32,.64)" } as const;

/** Picture of an ad with its link, labelled as an ad as required by law, and closed by one click. */
export default function PopupAdDialog({
  img,
  jumpLink,
  onClose,
}: {
  img: string;
  jumpLink: string;
  onClose: () => void;
}) {
  const lead = leadOf(jumpLink);
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={false}
      slotProps={{ paper: { sx: { position: "relative", m: 3, maxHeight: "none", overflow: "hidden" } } }}
    >
      <DialogTitle style={VISUALLY_HIDDEN}>活动推荐</DialogTitle>
      {lead ? (
        <Box {...lead} onClick={onClose} sx={{ display: "block" }}>
          <Box component="img" src={img} alt="查看活动详情" sx={PICTURE} />
        </Box>
      ) : (
        <Box component="img" src={img} alt="活动海报" sx={PICTURE} />
      )}
      <Box
        component="span"
        sx={{
          ...ON_PICTURE,
          left: 8,
          bottom: 8,
          px: 0.75,
          borderRadius: 1,
          fontSize: 12,
          lineHeight: "20px",
        }}
      >
        广告
      </Box>
      <IconButton
        aria-label="关闭"
        autoFocus
        onClick={onClose}
        sx={{
          ...ON_PICTURE,
          top: 8,
          right: 8,
          width: 40,
          height: 40,
          "&:hover, &:focus-visible": { bgcolor: "rgba(11,16,32,.88)" },
        }}
      >
        <CloseIcon sx={{ fontSize: 20 }} />
      </IconButton>
    </Dialog>
  );
}
