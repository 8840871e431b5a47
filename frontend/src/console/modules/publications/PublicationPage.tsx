import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { useParams } from "react-router";
import { TextButton } from "@/ui/TextButton";
import { toast } from "@/ui/toast";
import { CONFLICT, codeOf } from "../../api/envelope";
import {
  type PersonalPublicationShowReply,
  usePublicationPublishMutation,
  usePublicationSaveMutation,
  usePublicationShowQuery,
  usePublicationWithdrawMutation,
} from "../../api/generated/personal";
import { wordOf } from "../../kit/choices";
import { minute } from "../../kit/format";
import { Card, PageTitle } from "../../kit/page";
import { DecisionBar } from "../../kit/reason";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { useMay } from "../../session/slice";
import { Editor } from "./Editor";
import { type Draft, draftOf, type Held, requestOf, titleOf } from "./form";
import { Preview } from "./Preview";
import { PublishDialog } from "./PublishDialog";
import { Revisions } from "./Revisions";
import { KINDS, STATES } from "./words";

/** One publication: its draft, its published state, and every revision. */
export default function PublicationPage() {
  const { id = "" } = useParams();
  const query = usePublicationShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="内容" rows={10}>
      {(found) => (
        <Page found={found} onReload={async () => (await query.refetch()).data?.publication.latestVersion} />
      )}
    </Loaded>
  );
}

/** Reads the publication again and answers the newest version; undefined: that failed. */
type Reload = () => Promise<number | undefined>;

function Page({ found, onReload }: { found: PersonalPublicationShowReply; onReload: Reload }) {
  const { publication, revisions } = found;
  const may = useMay();
  const [withdraw] = usePublicationWithdrawMutation();
  // the last saved version, which may be newer than the published one
  const latest: Held = revisions.find(({ version }) => version === publication.latestVersion) ?? publication;
  const live = publication.state === "shown" || publication.state === "scheduled";
  return (
    <>
      <PageTitle
        back={{ to: "/publications", text: "内容发布" }}
        title={titleOf(latest)}
        state={<State words={STATES} value={publication.state} />}
        note={`${wordOf(KINDS, publication.kind).text} · 最近修改 ${minute(publication.updatedAt)}`}
        actions={
          <DecisionBar
            decisions={[
              {
                id: "withdraw",
                text: "撤下",
                title: "撤下内容",
                danger: true,
                allowed: may("content.publish") && live,
                note: "撤下后网站立即不再展示；内容和版本都会保留，可以再次发布。",
                templates: ["内容有误", "活动提前结束"],
                onConfirm: async (reason) => {
                  await withdraw({ id: publication.id, reason }).unwrap();
                  toast.success("已撤下");
                },
              },
            ]}
          />
        }
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        {may("content.publish") ? (
          <Draftsman found={found} start={draftOf(latest)} onReload={onReload} />
        ) : (
          <Card title="内容">
            <Preview draft={draftOf(latest)} />
          </Card>
        )}
        <Revisions found={found} />
      </Box>
    </>
  );
}

/** In sight wherever the operator is in the form. */
function Overtaken({ children, onTake }: { children: ReactNode; onTake: () => void }) {
  return (
    <Alert severity="warning" sx={{ position: "sticky", bottom: 8, zIndex: 1, mb: 1.5 }}>
      <Box sx={{ mb: 0.5 }}>{children}</Box>
      <TextButton color="inherit" onClick={onTake} sx={{ whiteSpace: "nowrap" }}>
        放弃修改并读取
      </TextButton>
    </Alert>
  );
}

/** Saves and publishes the editor's content. */
function Draftsman({
  found: { publication, revisions },
  start,
  onReload,
}: {
  found: PersonalPublicationShowReply;
  start: Draft;
  onReload: Reload;
}) {
  const { id } = publication;
  const [save] = usePublicationSaveMutation();
  const [publish] = usePublicationPublishMutation();
  const [asked, setAsked] = useState<{ draft: Draft; changed: boolean; saved: () => void }>();
  const latest = publication.latestVersion;
  // the version the form started from: a newer one must not replace unsaved changes
  const [begun, setBegun] = useState({ version: latest, start });
  const writing = useRef(false);
  const onWriting = useCallback((changed: boolean) => {
    writing.current = changed;
  }, []);
  const newer = latest !== begun.version;
  const begin = () => {
    writing.current = false;
    setBegun({ version: latest, start });
  };
  if (newer && !writing.current) setBegun({ version: latest, start });
  /** Whether a call failed because another operator saved after `version`; the newest is then on this page. */
  const isOvertaken = async (error: unknown, version: number) => {
    if (codeOf(error) !== CONFLICT) return false;
    const newest = await onReload();
    return newest !== undefined && newest !== version;
  };
  const keep = async (draft: Draft) => {
    const kept = await save({ ...requestOf(draft), id, baseVersion: begun.version }).unwrap();
    writing.current = false;
    return kept;
  };
  return (
    <>
      <Editor
        key={begun.version}
        start={begun.start}
        onWriting={onWriting}
        isOvertaken={(error) => isOvertaken(error, begun.version)}
        overtaken={
          newer &&
          writing.current && (
            <Overtaken onTake={begin}>
              {`已有新版本 ${latest}，您正在修改的是版本 ${begun.version}。`}
            </Overtaken>
          )
        }
        onSave={async (draft, saved) => {
          await keep(draft);
          saved();
          toast.success("草稿已保存");
        }}
        onPublish={(draft, changed, saved) => setAsked({ draft, changed, saved })}
      />
      {asked && (
        <PublishDialog
          before={revisions.find(({ version }) => version === publication.publishedVersion)}
          after={requestOf(asked.draft) as Held}
          onClose={() => setAsked(undefined)}
          publish={async () => {
            let { version } = begun;
            try {
              if (asked.changed) {
                version = (await keep(asked.draft)).version;
                asked.saved();
                setAsked({ ...asked, changed: false });
              }
              await publish({ id, version }).unwrap();
              return true;
            } catch (error) {
              if (!(await isOvertaken(error, version))) throw error;
              // without unsaved changes the form simply goes on with the newest
              if (!writing.current) toast.error("已有新版本，请查看后再发布");
              return false;
            }
          }}
        />
      )}
    </>
  );
}
