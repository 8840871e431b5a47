import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { toast } from "@/ui/toast";
import { useArticleSaveMutation } from "../../api/generated/content";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { PageTitle } from "../../kit/page";
import { TextInput } from "../../kit/TextInput";
import { ArticleForm } from "./ArticleForm";
import { emptyDraft, MOST, requestOf, slugProblem } from "./form";
import { KINDS, pathOf, readKind } from "./words";

/** A new article; once saved, it has a page of its own. */
export default function NewPage() {
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const kind = readKind(query.get("kind"));
  const [slug, setSlug] = useState("");
  const [tried, setTried] = useState(false);
  const [start] = useState(emptyDraft);
  const [save] = useArticleSaveMutation();
  return (
    <>
      <PageTitle back={{ to: "/articles", text: "文章" }} title="新建文章" />
      <ArticleForm
        kind={kind}
        start={start}
        ready={() => {
          setTried(true);
          return slugProblem(slug) === "";
        }}
        top={
          <>
            <ChoiceInput
              label="类型"
              value={kind}
              choices={KINDS}
              onChange={(chosen) => setQuery({ kind: chosen }, { replace: true })}
            />
            <TextInput
              label="短名"
              value={slug}
              max={MOST.slug}
              hint="在同类里唯一，保存后不能改"
              problem={tried ? slugProblem(slug) : undefined}
              onChange={setSlug}
            />
          </>
        }
        onSave={async (draft, saved) => {
          const { id } = await save({ kind, slug, draft: requestOf(draft) }).unwrap();
          saved();
          toast.success("草稿已保存");
          navigate(pathOf(id), { replace: true });
        }}
      />
    </>
  );
}
