import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import {
  type TransactionCategory,
  useCategoryListQuery,
  useCategorySaveMutation,
} from "../../api/generated/transaction";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { count } from "../../kit/format";
import { Card, PageTitle } from "../../kit/page";
import { ReasonDialog } from "../../kit/reason";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { TextInput } from "../../kit/TextInput";
import { useMay } from "../../session/slice";
import { type Branch, isTaken, moved, tree } from "./words";

const LONGEST_NAME = 20;
const OFFERED = [
  { value: "true", text: "可选", tone: "success" },
  { value: "false", text: "已停用" },
] as const;

type Draft = Pick<TransactionCategory, "id" | "name" | "parentId" | "position" | "offered">;
type Asked =
  | { kind: "edit"; draft: Draft }
  | { kind: "move"; name: string; rows: readonly TransactionCategory[] };

/** The category tree, for makers' listings and visitors' filters. */
export default function CategoriesPage() {
  const query = useCategoryListQuery({});
  const manage = useMay()("category.manage");
  const [asked, setAsked] = useState<Asked>();
  const branches = tree(query.data?.categories ?? []);
  const add = (parentId: string, siblings: readonly TransactionCategory[]) =>
    setAsked({
      kind: "edit",
      draft: { id: "", name: "", parentId, position: (siblings.at(-1)?.position ?? 0) + 1, offered: true },
    });
  const rowsOf = (siblings: readonly TransactionCategory[], index: number) => ({
    onEdit: () => {
      const one = siblings[index];
      if (one) setAsked({ kind: "edit", draft: one });
    },
    onMove: (by: -1 | 1) =>
      setAsked({ kind: "move", name: siblings[index]?.name ?? "", rows: moved(siblings, index, by) }),
    twice: isTaken(siblings[index]?.name ?? "", siblings[index]?.id ?? "", siblings),
    first: index === 0,
    last: index === siblings.length - 1,
  });
  const tops = branches.map(({ top }) => top);
  return (
    <>
      <PageTitle
        back={{ to: "/mall", text: "模型审核" }}
        title="商城分类"
        note="两级分类。停用后作者不能再选，已使用的模型不变。"
        actions={
          manage && (
            <Button size="small" variant="contained" onClick={() => add("", tops)}>
              添加一级分类
            </Button>
          )
        }
      />
      <Loaded query={query} what="商城分类" rows={10}>
        {() =>
          branches.length === 0 ? (
            <Nothing title="还没有分类" />
          ) : (
            <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
              {branches.map(({ top, below }, index) => (
                <Card
                  key={top.id}
                  title={top.name}
                  flush
                  aside={
                    <Row category={top} manage={manage} {...rowsOf(tops, index)}>
                      {manage && (
                        <Button size="small" onClick={() => add(top.id, below)} sx={{ minWidth: 0 }}>
                          添加下级
                        </Button>
                      )}
                    </Row>
                  }
                >
                  {below.length === 0 && <Nothing title="没有下级分类" />}
                  <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
                    {below.map((one, at) => (
                      <Box
                        component="li"
                        key={one.id}
                        sx={{
                          px: 2,
                          minHeight: 40,
                          display: "flex",
                          flexWrap: "wrap",
                          alignItems: "center",
                          justifyContent: "space-between",
                          columnGap: 2,
                          fontSize: 13,
                          "& + &": { borderTop: 1, borderColor: "divider" },
                        }}
                      >
                        {one.name}
                        <Row category={one} manage={manage} {...rowsOf(below, at)} />
                      </Box>
                    ))}
                  </Box>
                </Card>
              ))}
            </Box>
          )
        }
      </Loaded>
      {asked?.kind === "edit" && (
        <EditDialog
          key={asked.draft.id}
          draft={asked.draft}
          branches={branches}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.kind === "move" && (
        <MoveDialog name={asked.name} rows={asked.rows} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

function Row({
  category,
  manage,
  twice,
  first,
  last,
  onEdit,
  onMove,
  children,
}: {
  category: TransactionCategory;
  manage: boolean;
  /** A sibling has the same name. */
  twice: boolean;
  first: boolean;
  last: boolean;
  onEdit: () => void;
  onMove: (by: -1 | 1) => void;
  children?: React.ReactNode;
}) {
  const button = (text: string, onClick: () => void, disabled = false) => (
    <Button
      size="small"
      color="inherit"
      disabled={disabled}
      aria-label={`${text}：${category.name}`}
      onClick={onClick}
      sx={{ minWidth: 0 }}
    >
      {text}
    </Button>
  );
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 0.5, fontSize: 13 }}>
      <Box sx={{ color: "text.secondary", mr: 1 }}>{`${count(category.listings)} 个上架`}</Box>
      <State words={OFFERED} value={String(category.offered)} />
      {twice && <StatusTag tone="warning">同级重名</StatusTag>}
      {manage && (
        <>
          {button("上移", () => onMove(-1), first)}
          {button("下移", () => onMove(1), last)}
          {button("修改", onEdit)}
        </>
      )}
      {children}
    </Box>
  );
}

function EditDialog({
  draft,
  branches,
  onClose,
}: {
  draft: Draft;
  branches: readonly Branch[];
  onClose: () => void;
}) {
  const [save] = useCategorySaveMutation();
  const [name, setName] = useState(draft.name);
  const [parentId, setParent] = useState(draft.parentId);
  const [offered, setOffered] = useState(String(draft.offered));
  const tops = branches.map(({ top }) => top);
  const hasBelow = branches.some(({ top, below }) => top.id === draft.id && below.length > 0);
  const siblings = parentId ? (branches.find(({ top }) => top.id === parentId)?.below ?? []) : tops;
  const parents = [
    { value: "", text: "无，作为一级分类" },
    ...tops.filter(({ id }) => id !== draft.id).map(({ id, name: text }) => ({ value: id, text })),
  ];
  return (
    <ReasonDialog
      ask={{
        title: draft.id ? `修改“${draft.name}”` : "添加分类",
        confirmText: "保存",
        ready: name.trim() !== "",
        templates: ["调整商城分类"],
        fields: (
          <Box>
            <TextInput
              label="名称"
              value={name}
              max={LONGEST_NAME}
              problem={isTaken(name, draft.id, siblings) ? "同级已有这个名称，作者会分不清" : undefined}
              hint={`1 至 ${LONGEST_NAME} 个字符`}
              onChange={setName}
            />
            {!hasBelow && (
              <ChoiceInput label="上级分类" value={parentId} choices={parents} onChange={setParent} />
            )}
            <ChoiceInput label="作者可否选择" value={offered} choices={OFFERED} onChange={setOffered} />
          </Box>
        ),
        onConfirm: async (reason) => {
          await save({
            id: draft.id,
            name: name.trim(),
            parentId,
            position: draft.position,
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

function MoveDialog({
  name,
  rows,
  onClose,
}: {
  name: string;
  rows: readonly TransactionCategory[];
  onClose: () => void;
}) {
  const [save] = useCategorySaveMutation();
  return (
    <ReasonDialog
      ask={{
        title: `移动“${name}”`,
        note: "商城和发布页面的分类顺序会随之改变。",
        confirmText: "移动",
        templates: ["调整商城分类"],
        onConfirm: async (reason) => {
          for (const { id, name: called, parentId, position, offered } of rows)
            await save({ id, name: called, parentId, position, offered, reason }).unwrap();
          toast.success("顺序已保存");
        },
      }}
      onClose={onClose}
    />
  );
}
