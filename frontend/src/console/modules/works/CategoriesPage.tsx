import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { toast } from "@/ui/toast";
import {
  useWorkCategoryListQuery,
  useWorkCategorySaveMutation,
  type WorksManagedCategory,
} from "../../api/generated/works";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { Card, PageTitle } from "../../kit/page";
import { ReasonDialog } from "../../kit/reason";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { TextInput } from "../../kit/TextInput";
import { useMay } from "../../session/slice";
import { KINDS, ofKind } from "./words";

const LONGEST_NAME = 20;
const MOST_POSITION = 9999;
const OFFERED = [
  { value: "true", text: "可选", tone: "success" },
  { value: "false", text: "已停用" },
] as const;

/** Categories, for authors' works and visitors' filters. */
export default function CategoriesPage() {
  const query = useWorkCategoryListQuery({});
  const manage = useMay()("workCategory.manage");
  const [draft, setDraft] = useState<WorksManagedCategory>();
  return (
    <>
      <PageTitle
        back={{ to: "/works", text: "作品审核" }}
        title="作品分类与行业"
        note="停用后作者不能再选，已使用的作品不变。"
      />
      <Loaded query={query} what="作品分类与行业" rows={10}>
        {({ categories }) => (
          <Box
            sx={{
              display: "grid",
              gap: 2,
              alignItems: "start",
              gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "1fr 1fr" },
            }}
          >
            {KINDS.map(({ value: kind, text }) => {
              const all = ofKind(categories, kind);
              const position = (all.at(-1)?.position ?? 0) + 1;
              return (
                <Card
                  key={kind}
                  title={text}
                  flush
                  aside={
                    manage && (
                      <Button
                        size="small"
                        onClick={() => setDraft({ id: "", kind, name: "", position, offered: true })}
                      >
                        {`添加${text}`}
                      </Button>
                    )
                  }
                >
                  {all.length === 0 && <Nothing title={`还没有${text}`} />}
                  <Rows all={all} onEdit={manage ? setDraft : undefined} />
                </Card>
              );
            })}
          </Box>
        )}
      </Loaded>
      {draft && (
        <EditDialog key={`${draft.kind}${draft.id}`} draft={draft} onClose={() => setDraft(undefined)} />
      )}
    </>
  );
}

function Rows({
  all,
  onEdit,
}: {
  all: readonly WorksManagedCategory[];
  onEdit?: (one: WorksManagedCategory) => void;
}) {
  return (
    <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
      {all.map((one) => (
        <Box
          component="li"
          key={one.id}
          sx={{
            px: 2,
            minHeight: 40,
            display: "flex",
            alignItems: "center",
            gap: 2,
            fontSize: 13,
            "& + &": { borderTop: 1, borderColor: "divider" },
          }}
        >
          <Box component="span" className="tabular" sx={{ width: 32, color: "text.secondary" }}>
            {one.position}
          </Box>
          <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
            {one.name}
          </Box>
          <State words={OFFERED} value={String(one.offered)} />
          {onEdit && (
            <Button
              size="small"
              color="inherit"
              aria-label={`修改：${one.name}`}
              onClick={() => onEdit(one)}
              sx={{ minWidth: 0 }}
            >
              修改
            </Button>
          )}
        </Box>
      ))}
    </Box>
  );
}

function EditDialog({ draft, onClose }: { draft: WorksManagedCategory; onClose: () => void }) {
  const [save] = useWorkCategorySaveMutation();
  const [name, setName] = useState(draft.name);
  const [position, setPosition] = useState(String(draft.position));
  const [offered, setOffered] = useState(String(draft.offered));
  const text = KINDS.find(({ value }) => value === draft.kind)?.text ?? "";
  const place = Number(position);
  const sound = Number.isSafeInteger(place) && place >= 0 && place <= MOST_POSITION && position.trim() !== "";
  return (
    <ReasonDialog
      ask={{
        title: draft.id ? `修改“${draft.name}”` : `添加${text}`,
        confirmText: "保存",
        ready: name.trim() !== "" && sound,
        templates: [`调整作品${text}`],
        fields: (
          <Box>
            <TextInput
              label="名称"
              value={name}
              max={LONGEST_NAME}
              hint={`1 至 ${LONGEST_NAME} 个字符`}
              onChange={setName}
            />
            <TextInput
              label="次序"
              value={position}
              max={4}
              hint={`0 至 ${MOST_POSITION}，小的在前`}
              onChange={setPosition}
            />
            <ChoiceInput label="作者可否选择" value={offered} choices={OFFERED} onChange={setOffered} />
          </Box>
        ),
        onConfirm: async (reason) => {
          await save({
            id: draft.id,
            kind: draft.kind,
            name: name.trim(),
            position: place,
            offered: offered === "true",
            reason,
          }).unwrap();
          toast.success("已保存");
        },
      }}
      onClose={onClose}
    />
  );
}
