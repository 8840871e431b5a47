import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import { useState } from "react";
import { getConfig } from "@/api";
import { currentPath } from "@/lib/navigation";
import { authMessages } from "@/messages/auth";
import { isConfigured, leaveForProvider, type Provider, providers } from "@/session/thirdParty";
import { useAppDispatch } from "@/store/hooks";
import { ProviderSign, SIGN_COLOURS } from "@/ui/ProviderSign";

/** The configured social providers. Without a target one comes back to this page. */
export function ThirdPartyIcons({ returnURL }: { returnURL: string }) {
  const dispatch = useAppDispatch();
  const [leaving, setLeaving] = useState<Provider>();
  const config = getConfig();
  const open = providers.filter(({ id }) => isConfigured(id, config));
  if (open.length === 0) return null;

  const leave = async (provider: Provider) => {
    setLeaving(provider);
    const errand = { provider, purpose: "login", returnURL: returnURL || currentPath() } as const;
    const left = await leaveForProvider(dispatch, errand);
    if (!left) setLeaving(undefined);
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
        {open.map(({ id, name }) => (
          <IconButton
            key={id}
            aria-label={`${name}登录`}
            title={`${name}登录`}
            loading={leaving === id}
            onClick={() => void leave(id)}
            sx={{
              width: 44,
              height: 44,
              border: 1,
              borderColor: "divider",
              color: SIGN_COLOURS[id],
              "&:hover": { borderColor: "currentColor", bgcolor: "transparent" },
            }}
          >
            <ProviderSign provider={id} />
          </IconButton>
        ))}
      </Box>
    </Box>
  );
}
