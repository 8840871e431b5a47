import Avatar from "@mui/material/Avatar";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import dayjs from "dayjs";
import { useState } from "react";
import { useLocation } from "react-router";
import { getConfig } from "@/api";
import {
  type AuthThirdPartyAccount,
  useGetMyThirdPartyAccountQuery,
  useRemoveThirdPartyAccountByIdMutation,
} from "@/calls/auth";
import { authMessages } from "@/messages/auth";
import { isConfigured, leaveForProvider, type Provider, providers } from "@/session/thirdParty";
import { useAppDispatch } from "@/store/hooks";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Panel } from "@/ui/Panel";
import { ProviderSign } from "@/ui/ProviderSign";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";

/** The user's linked social accounts; links and unlinks them. */
export function ThirdPartyPanel() {
  const { data, isError, refetch } = useGetMyThirdPartyAccountQuery({});
  const [leaving, setLeaving] = useState<AuthThirdPartyAccount>();
  const config = getConfig();
  const linkedTo = (id: Provider) => data?.find(({ type }) => type === id);
  // A linked provider is listed even if it is no longer configured.
  const shown = providers.filter(({ id }) => isConfigured(id, config) || linkedTo(id));
  if (data && shown.length === 0) return null;

  return (
    <Panel title="第三方账号">
      {isError && <ReadFailed what="第三方账号" dense onRetry={() => void refetch()} />}
      {!data && !isError && <LinesSkeleton lines={2} />}
      {data && (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
          {shown.map(({ id, name }) => (
            <ProviderRow
              key={id}
              provider={id}
              name={name}
              linked={linkedTo(id)}
              onUnlink={() => setLeaving(linkedTo(id))}
            />
          ))}
        </Box>
      )}
      <UnlinkDialog account={leaving} onClose={() => setLeaving(undefined)} />
    </Panel>
  );
}

interface RowProps {
  provider: Provider;
  name: string;
  linked: AuthThirdPartyAccount | undefined;
  onUnlink: () => void;
}

function ProviderRow({ provider, name, linked, onUnlink }: RowProps) {
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  const [busy, setBusy] = useState(false);
  const link = async () => {
    setBusy(true);
    const left = await leaveForProvider(dispatch, { provider, purpose: "link", returnURL: pathname });
    if (!left) setBusy(false);
  };
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 2,
        minHeight: 64,
        py: 1,
        px: 2.5,
        borderTop: 1,
        borderColor: "divider",
      }}
    >
      <Avatar
        src={linked?.avatar || undefined}
        alt=""
        sx={{ width: 40, height: 40, border: 1, borderColor: "divider", bgcolor: "transparent" }}
      >
        <ProviderSign provider={provider} />
      </Avatar>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <div>{name}</div>
        <Box sx={{ fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
          {linked
            ? `${linked.nickname || `${name}用户`}，${dayjs(linked.bindTime).format("YYYY-MM-DD")} 绑定`
            : "未绑定"}
        </Box>
      </Box>
      {linked ? (
        <Button size="small" variant="outlined" color="inherit" aria-label={`解绑${name}`} onClick={onUnlink}>
          解绑
        </Button>
      ) : (
        <Button
          size="small"
          variant="outlined"
          aria-label={`绑定${name}`}
          loading={busy}
          onClick={() => void link()}
        >
          绑定
        </Button>
      )}
    </Box>
  );
}

function UnlinkDialog({
  account,
  onClose,
}: {
  account: AuthThirdPartyAccount | undefined;
  onClose: () => void;
}) {
  const [remove] = useRemoveThirdPartyAccountByIdMutation();
  const name = providers.find(({ id }) => id === account?.type)?.name ?? "";
  const unlink = async () => {
    if (!account) return;
    const { error } = await remove({ id: account.id });
    onClose();
    if (!error) toast.success(authMessages.unlinked);
  };
  return (
    <ConfirmDialog
      open={Boolean(account)}
      title={`解除${name}绑定`}
      confirmText="解除绑定"
      danger
      onConfirm={unlink}
      onClose={onClose}
    >
      {`解除后不能再用这个${name}账号登录。`}
    </ConfirmDialog>
  );
}
