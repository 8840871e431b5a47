import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { Link } from "react-router";
import { StatusTag } from "@/ui/StatusTag";
import { minute } from "../kit/format";
import { useSignOut } from "../session/calls";
import { useOperator } from "../session/slice";
import { OWN } from "./areas";
import { FEW_CODES } from "./codes";

/** The operator's name, the session's end, their account, and sign-out. */
export function OperatorMenu() {
  const operator = useOperator();
  const signOut = useSignOut();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { name } = operator;
  const few = operator.recoveryCodes <= FEW_CODES;

  async function leave() {
    setAnchor(null);
    await signOut();
  }

  return (
    <>
      <ButtonBase
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          height: 34,
          px: 0.75,
          gap: 1,
          borderRadius: "4px",
          fontSize: 13,
          "&:hover": { backgroundColor: "action.hover" },
        }}
      >
        <Box
          aria-hidden="true"
          sx={{
            width: 26,
            height: 26,
            borderRadius: "50%",
            display: "grid",
            placeItems: "center",
            fontSize: 12,
            fontWeight: 600,
            backgroundColor: "#EAF0FF",
            color: "primary.dark",
          }}
        >
          {[...name][0]?.toUpperCase()}
        </Box>
        <Box
          component="span"
          sx={{
            maxWidth: { xs: 88, md: 140 },
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "nowrap",
          }}
        >
          {name}
        </Box>
      </ButtonBase>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <Box component="li" role="none" sx={{ px: 2, py: 1, maxWidth: 260, fontSize: 13 }}>
          <Box sx={{ fontWeight: 500 }}>{operator.name}</Box>
          <Box sx={{ color: "text.secondary" }}>{operator.roles.join("、") || "没有角色"}</Box>
          {few ? (
            <StatusTag tone="warning">{`剩余恢复码 ${operator.recoveryCodes} 个，请尽快更换`}</StatusTag>
          ) : (
            <Box sx={{ color: "text.secondary" }}>{`剩余恢复码 ${operator.recoveryCodes} 个`}</Box>
          )}
          <Box sx={{ color: "text.secondary" }}>{`本次登录到 ${minute(operator.expiresAt)} 为止`}</Box>
        </Box>
        <MenuItem
          component={Link}
          to={OWN.to}
          onClick={() => setAnchor(null)}
          sx={{ borderTop: 1, borderColor: "divider", fontSize: 13 }}
        >
          {OWN.title}
        </MenuItem>
        <MenuItem onClick={leave} sx={{ fontSize: 13 }}>
          退出登录
        </MenuItem>
      </Menu>
    </>
  );
}
