import { useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { toast } from "@/ui/toast";
import {
  type PersonalPublicationSaveReply,
  usePublicationPublishMutation,
  usePublicationSaveMutation,
} from "../../api/generated/personal";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { PageTitle } from "../../kit/page";
import { Editor } from "./Editor";
import { type Draft, emptyDraft, type Held, readKind, requestOf } from "./form";
import { PublishDialog } from "./PublishDialog";
import { KINDS, pathOf } from "./words";

/** A new publication; once saved, it has a page of its own. */
export default function NewPage() {
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const kind = readKind(query.get("kind"));
  const [save] = usePublicationSaveMutation();
  const [publish] = usePublicationPublishMutation();
  const [asked, setAsked] = useState<{ draft: Draft; saved: () => void }>();
  // the draft as saved by a publication that was refused: a retry must not create another
  const kept = useRef<PersonalPublicationSaveReply>(undefined);
  const go = (id: string) => navigate(pathOf(id), { replace: true });
  return (
    <>
      <PageTitle back={{ to: "/publications", text: "内容发布" }} title="新建内容" />
      <Editor
        key={kind}
        start={emptyDraft(kind)}
        top={
          <ChoiceInput
            label="类型"
            value={kind}
            choices={KINDS}
            onChange={(chosen) => setQuery({ kind: chosen }, { replace: true })}
          />
        }
        onSave={async (draft, saved) => {
          const { id } = await save(requestOf(draft)).unwrap();
          saved();
          toast.success("草稿已保存");
          go(id);
        }}
        onPublish={(draft, _changed, saved) => setAsked({ draft, saved })}
      />
      {asked && (
        <PublishDialog
          after={requestOf(asked.draft) as Held}
          onClose={() => (kept.current ? go(kept.current.id) : setAsked(undefined))}
          publish={async () => {
            kept.current ??= await save(requestOf(asked.draft)).unwrap();
            asked.saved();
            const { id, version } = kept.current;
            await publish({ id, version }).unwrap();
            return true;
          }}
        />
      )}
    </>
  );
}
