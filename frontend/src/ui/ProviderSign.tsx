import Box from "@mui/material/Box";

export const SIGN_COLOURS = { wechat: "#1AAD19", qq: "#1D9BF0" } as const;

/** The sign of a social provider in its colour. */
export function ProviderSign({ provider }: { provider: keyof typeof SIGN_COLOURS }) {
  return (
    <Box component="span" sx={{ display: "flex", color: SIGN_COLOURS[provider] }}>
      {provider === "wechat" ? <WechatIcon /> : <QqIcon />}
    </Box>
  );
}

function WechatIcon() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M9.2 4C5.2 4 2 6.7 2 10c0 1.9 1 3.5 2.7 4.6L4 17l2.6-1.3c.8.2 1.7.4 2.6.4h.5a5 5 0 0 1-.2-1.4c0-3.1 3-5.6 6.7-5.6h.5C16 6.2 12.9 4 9.2 4Zm-2.4 3.2a.9.9 0 1 1 0 1.9.9.9 0 0 1 0-1.9Zm4.8 0a.9.9 0 1 1 0 1.9.9.9 0 0 1 0-1.9Z" />
      <path d="M22 14.6c0-2.7-2.6-4.8-5.8-4.8s-5.8 2.1-5.8 4.8 2.6 4.8 5.8 4.8c.7 0 1.4-.1 2-.3l2.1 1.1-.6-1.9c1.4-.9 2.3-2.2 2.3-3.7Zm-7.7-.8a.8.8 0 1 1 0-1.6.8.8 0 0 1 0 1.6Zm3.8 0a.8.8 0 1 1 0-1.6.8.8 0 0 1 0 1.6Z" />
    </svg>
  );
}

function QqIcon() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M12 2.5c-3.3 0-5.4 2.5-5.4 5.7v1.6c-.9 1.6-2.3 3.4-2.3 5.5 0 1 .3 1.6.7 1.6.4 0 1-.6 1.5-1.4.2 1 .7 1.9 1.4 2.6-.8.3-1.4.8-1.4 1.5 0 1 1.5 1.7 3.4 1.7.9 0 1.6-.2 2.1-.5.5.3 1.2.5 2.1.5 1.9 0 3.4-.7 3.4-1.7 0-.7-.6-1.2-1.4-1.5.7-.7 1.2-1.6 1.4-2.6.5.8 1.1 1.4 1.5 1.4.4 0 .7-.6.7-1.6 0-2.1-1.4-3.9-2.3-5.5V8.2c0-3.2-2.1-5.7-5.4-5.7Z" />
    </svg>
  );
}
