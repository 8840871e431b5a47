import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import { Link } from "react-router";
import { useAsk } from "@/features/ask";
import CloseIcon from "@/ui/icons/CloseOutlined";
import { Logo } from "@/ui/Logo";
import { SoonTag } from "@/ui/SoonTag";
import { MallLink } from "./MallLink";
import { COUPON_PATH, DEVELOPER_LINKS, type NavLink, PLAIN_LINKS, PRODUCT_GROUPS, UPLOAD_PATH } from "./nav";

const ROW = {
  display: "flex",
  alignItems: "center",
  minHeight: 44,
  color: "text.primary",
  textDecoration: "none",
} as const;

function Row({ link, onClose }: { link: NavLink; onClose: () => void }) {
  return (
    <Box component={Link} to={link.to} onClick={onClose} sx={ROW}>
      {link.title}
      <SoonTag to={link.to} />
    </Box>
  );
}

/** A row that opens a dialog. */
function Action({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <ButtonBase
      onClick={onClick}
      sx={{ width: "100%", minHeight: 44, justifyContent: "flex-start", font: "inherit" }}
    >
      {text}
    </ButtonBase>
  );
}

/** The whole menu as one sheet, for narrow screens. */
export default function MobileNav({ open, onClose }: { open: boolean; onClose: () => void }) {
  const ask = useAsk();
  const leadingTo = (open: () => void) => () => {
    onClose();
    open();
  };
  return (
    <>
      <Drawer
        anchor="right"
        open={open}
        onClose={onClose}
        slotProps={{ paper: { sx: { width: "min(360px, 100vw)" }, "aria-label": "菜单" } }}
      >
        <Box
          sx={{
            height: 72,
            flex: "none",
            px: 2,
            display: "flex",
            alignItems: "center",
            justifyContent: "space-between",
            borderBottom: 1,
            borderColor: "divider",
          }}
        >
          <Logo />
          <IconButton onClick={onClose} aria-label="关闭菜单">
            <CloseIcon />
          </IconButton>
        </Box>
        <Box component="nav" aria-label="移动端导航" sx={{ px: 2.5, py: 2, overflowY: "auto", flex: 1 }}>
          {PRODUCT_GROUPS.map((group) => (
            <Box key={group.title} sx={{ mb: 2 }}>
              <Box sx={{ fontSize: 12, color: "text.secondary" }}>{group.title}</Box>
              <Box
                sx={group.links.length > 4 ? { display: "grid", gridTemplateColumns: "1fr 1fr" } : undefined}
              >
                {group.links.map((link) => (
                  <Row key={link.to} link={link} onClose={onClose} />
                ))}
              </Box>
            </Box>
          ))}
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>开发者中心</Box>
          {DEVELOPER_LINKS.map((link) => (
            <Row key={link.to} link={link} onClose={onClose} />
          ))}
          <Box sx={{ mt: 2, pt: 1, borderTop: 1, borderColor: "divider" }}>
            <MallLink sx={ROW} onClick={onClose} />
            {PLAIN_LINKS.map((link) => (
              <Row key={link.to} link={link} onClose={onClose} />
            ))}
            <Row link={{ title: "优惠券", to: COUPON_PATH }} onClose={onClose} />
            {/* On wide screens these are in the side toolbar. */}
            <Action text="在线客服" onClick={leadingTo(ask.chat)} />
            <Action text="反馈问题与建议" onClick={leadingTo(ask.feedback)} />
          </Box>
        </Box>
        <Box sx={{ p: 2, flex: "none", borderTop: 1, borderColor: "divider" }}>
          <Button
            component={Link}
            to={UPLOAD_PATH}
            onClick={onClose}
            variant="contained"
            size="large"
            fullWidth
          >
            上传模型
          </Button>
        </Box>
      </Drawer>
      {ask.dialogs}
    </>
  );
}
