import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import { useState } from "react";
import { getConfig } from "@/api";
import { authMessages } from "@/messages/auth";
import { QqIcon, WechatIcon } from "./icons";
import { authorizeAddress, type Provider, providers } from "./thirdParty";

/** The two social providers. One that is not configured says so instead of leading nowhere. */
export function ThirdPartyIcons({ returnURL }: { returnURL: string }) {
  const [notice, setNotice] = useState("");

  const leave = (id: Provider, name: string) => {
    const address = authorizeAddress(id, getConfig(), returnURL);
    if (address) window.location.assign(address);
    else setNotice(authMessages.thirdPartyMissing(name));
  };

  return (
    <Box sx={{ mt: 3 }}>
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1.5,
          fontSize: 12,
          color: "text.secondary",
          "&::before, &::after": { content: '""', flex: 1, height: "1px", bgcolor: "divider" },
        }}
      >
        {authMessages.otherWays}
      </Box>
      <Box sx={{ display: "flex", justifyContent: "center", gap: 2, mt: 1.5 }}>
        {providers.map(({ id, name }) => (
          <IconButton
            key={id}
            aria-label={`${name}登录`}
            title={`${name}登录`}
            onClick={() => leave(id, name)}
            sx={{
              width: 44,
              height: 44,
              border: 1,
              borderColor: "divider",
              color: id === "wechat" ? "#1AAD19" : "#1D9BF0",
              "&:hover": { borderColor: "currentColor", bgcolor: "transparent" },
            }}
          >
            {id === "wechat" ? <WechatIcon /> : <QqIcon />}
          </IconButton>
        ))}
      </Box>
      <Box
        role="status"
        sx={{
          minHeight: notice ? 18 : 0,
          mt: 1,
          fontSize: 12,
          lineHeight: "18px",
          textAlign: "center",
          color: "text.secondary",
        }}
      >
        {notice}
      </Box>
    </Box>
  );
}
