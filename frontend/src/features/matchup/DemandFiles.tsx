import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useRef, useState } from "react";
import { type MatchupDemand, useAddDemandFileMutation, useRemoveDemandFileMutation } from "@/calls/matchup";
import { sendFile } from "@/features/uploader";
import { useSession } from "@/session";
import { currentStore } from "@/store/current";
import { formatBytes } from "@/ui/bytes";
import { Panel } from "@/ui/Panel";
import { safeHref } from "@/ui/safeHref";
import { toast } from "@/ui/toast";

const MOST_FILES = 6;
const MOST_MB = 20;
const KINDS = ".pdf,.png,.jpg,.jpeg,.webp,.zip,.rar,.glb,.gltf,.obj,.stl,.ply,.fbx,.step,.docx,.xlsx,.txt";

/** Files of a demand, uploaded one after another. */
export function DemandFiles({ demand }: { demand: MatchupDemand }) {
  const { loginId } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState<{ name: string; sent: number }>();
  const leaving = useRef(new AbortController());
  const [add] = useAddDemandFileMutation();
  const [remove, removing] = useRemoveDemandFileMutation();
  useEffect(() => {
    const own = new AbortController();
    leaving.current = own;
    return () => own.abort();
  }, []);

  const send = async (file: File) => {
    if (file.size > MOST_MB * 1024 * 1024) {
      toast.error(`「${file.name}」超过 ${MOST_MB} MB，请压缩或分开上传`);
      return;
    }
    setSending({ name: file.name, sent: 0 });
    try {
      const address = await sendFile(currentStore(), loginId, file, {
        signal: leaving.current.signal,
        onSent: (bytes) => setSending({ name: file.name, sent: file.size ? bytes / file.size : 1 }),
      });
      const answer = await add({
        userId: loginId,
        demandId: demand.demandId,
        // Without the bucket in front.
        objectKey: address.slice(address.indexOf("/") + 1),
        name: file.name,
      });
      if (!answer.error) toast.success("附件已添加");
    } catch {
      if (!leaving.current.signal.aborted) toast.error(`「${file.name}」没有传完，请检查网络后重试`);
    } finally {
      setSending(undefined);
    }
  };
  return (
    <Panel title="附件">
      <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 1.5 }}>
        <Box component="ul" aria-label="附件" sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 1 }}>
          {demand.files.map((file) => (
            <Box component="li" key={file.fileId} sx={{ display: "flex", alignItems: "center", gap: 1.5 }}>
              <Box
                component="a"
                href={safeHref(file.url)}
                sx={{ flex: 1, minWidth: 0, color: "primary.main", overflowWrap: "anywhere" }}
              >
                {file.name}
              </Box>
              <Box className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
                {formatBytes(file.bytes)}
              </Box>
              <Button
                size="small"
                color="inherit"
                disabled={removing.isLoading}
                aria-label={`移除 ${file.name}`}
                onClick={() =>
                  void remove({ userId: loginId, demandId: demand.demandId, fileId: file.fileId })
                }
              >
                移除
              </Button>
            </Box>
          ))}
        </Box>
        <Box role="status" sx={{ fontSize: 13, color: "text.secondary" }}>
          {sending
            ? `正在上传 ${sending.name}，${Math.round(sending.sent * 100)}%`
            : `最多 ${MOST_FILES} 个，每个不超过 ${MOST_MB} MB。只有您与选定的服务商能下载。`}
        </Box>
        <Box>
          <Button
            variant="outlined"
            loading={Boolean(sending)}
            disabled={demand.files.length >= MOST_FILES}
            onClick={() => input.current?.click()}
          >
            添加附件
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label="选择附件"
            accept={KINDS}
            onChange={(event) => {
              const file = event.target.files?.[0];
              // cleared, so that the same file can be chosen again after an error
              event.target.value = "";
              if (file) void send(file);
            }}
          />
        </Box>
      </Box>
    </Panel>
  );
}
