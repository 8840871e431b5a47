import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";
import { Avatar } from "@/features/avatar";
import { sendFile } from "@/features/uploader";
import { accountMessages as m } from "@/messages/account";
import { useSession } from "@/session";
import { useAppStore } from "@/store/hooks";
import { AVATAR_LIMIT_MB, acceptOf, judgeFile } from "@/transfer/fileRules";
import { messages } from "@/transfer/rules";
import { toast } from "@/ui/toast";
import { AvatarDialog } from "./AvatarDialog";
import type { ModifyProfile } from "./useModifyProfile";

/** The user's avatar: upload and crop another one, or restore the default. */
export function AvatarRow({
  url,
  name,
  modify,
}: {
  url: string | null | undefined;
  name: string;
  modify: ModifyProfile;
}) {
  const store = useAppStore();
  const { loginId } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ImageBitmap>();
  const [busy, setBusy] = useState(false);

  const choose = async (file: File) => {
    const wrong = judgeFile(file, "picture", AVATAR_LIMIT_MB);
    if (wrong) {
      toast.error(wrong);
      return;
    }
    try {
      setPicture(await createImageBitmap(file));
    } catch {
      toast.error(m.pictureUnreadable);
    }
  };
  const save = async (file: File) => {
    setBusy(true);
    try {
      const signal = new AbortController().signal;
      const avatar = await sendFile(store, loginId, file, { signal, onSent: () => undefined });
      if (await modify({ avatar })) setPicture(undefined);
    } catch {
      toast.error(messages.failed);
    } finally {
      setBusy(false);
    }
  };
  const reset = async () => {
    setBusy(true);
    await modify({ avatar: "" }, m.avatarDefault);
    setBusy(false);
  };

  return (
    <Box
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 2.5,
        px: 2.5,
        py: 2,
        borderTop: 1,
        borderColor: "divider",
      }}
    >
      <Avatar url={url} name={name} size={72} />
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
          <Button
            size="small"
            variant="outlined"
            loading={busy && !picture}
            onClick={() => input.current?.click()}
          >
            更换头像
          </Button>
          {url && (
            <Button size="small" color="inherit" disabled={busy} onClick={() => void reset()}>
              恢复默认
            </Button>
          )}
        </Box>
        <Box sx={{ mt: 0.75, fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>
          {`jpg、png、bmp、gif 或 webp，不超过 ${AVATAR_LIMIT_MB}M`}
        </Box>
      </Box>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="头像图片"
        accept={acceptOf("picture")}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // cleared, so that the same file can be chosen again after an error
          event.target.value = "";
          if (file) void choose(file);
        }}
      />
      {picture && (
        <AvatarDialog
          picture={picture}
          busy={busy}
          onSave={(file) => void save(file)}
          onClose={() => setPicture(undefined)}
        />
      )}
    </Box>
  );
}
