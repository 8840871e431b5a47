import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Select from "@mui/material/Select";
import { useState } from "react";
import { TextInput } from "../../kit/TextInput";
import { BlockFields } from "./BlockFields";
import { type BlockJson, blank, type Held, held, INNER, nameOf, TYPES, type Type, textOf } from "./form";

const small = { minHeight: 24, py: 0, px: 0.5, minWidth: 0 } as const;

interface ListProps {
  blocks: readonly Held[];
  /** Position of the list, for screen readers. */
  where: string;
  choices?: readonly { value: Type; text: string }[];
  onChange: (blocks: readonly Held[]) => void;
}

/** An ordered list of blocks with their fields; blocks can be added, moved and removed. */
export function BlockEditor({ blocks, where, choices = TYPES, onChange }: ListProps) {
  const move = (at: number, by: number) => {
    const next = [...blocks];
    const [taken] = next.splice(at, 1);
    if (taken) next.splice(at + by, 0, taken);
    onChange(next);
  };
  return (
    <Box role="group" aria-label={where}>
      {blocks.map((one, at) => {
        const name = `${where}第 ${at + 1} 块`;
        return (
          <Box
            key={one.key}
            role="group"
            aria-label={`${name}：${nameOf(one.block.type)}`}
            sx={{ mb: 1.5, p: 1.5, border: 1, borderColor: "divider", borderRadius: 1 }}
          >
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mb: 1, alignItems: "center" }}>
              <Box sx={{ flex: 1, fontSize: 13, fontWeight: 600 }}>{nameOf(one.block.type)}</Box>
              <Button
                size="small"
                sx={small}
                disabled={at === 0}
                aria-label={`上移${name}`}
                onClick={() => move(at, -1)}
              >
                上移
              </Button>
              <Button
                size="small"
                sx={small}
                disabled={at === blocks.length - 1}
                aria-label={`下移${name}`}
                onClick={() => move(at, 1)}
              >
                下移
              </Button>
              <Button
                size="small"
                color="error"
                sx={small}
                aria-label={`删除${name}`}
                onClick={() => onChange(blocks.filter(({ key }) => key !== one.key))}
              >
                删除
              </Button>
            </Box>
            <One
              block={one.block}
              where={name}
              onChange={(block) =>
                onChange(blocks.map((other) => (other.key === one.key ? { ...other, block } : other)))
              }
            />
          </Box>
        );
      })}
      <Add where={where} choices={choices} onAdd={(type) => onChange([...blocks, held(blank(type))])} />
    </Box>
  );
}

function Add({
  where,
  choices,
  onAdd,
}: {
  where: string;
  choices: readonly { value: Type; text: string }[];
  onAdd: (type: Type) => void;
}) {
  const [type, setType] = useState<Type>("text");
  return (
    <Box sx={{ display: "flex", gap: 1 }}>
      <Select
        size="small"
        value={type}
        onChange={(event) => setType(event.target.value)}
        SelectDisplayProps={{ "aria-label": `${where}要加的块` }}
        sx={{ minWidth: 140 }}
      >
        {choices.map((one) => (
          <MenuItem key={one.value} value={one.value}>
            {one.text}
          </MenuItem>
        ))}
      </Select>
      <Button size="small" variant="outlined" aria-label={`在${where}末尾添加`} onClick={() => onAdd(type)}>
        添加
      </Button>
    </Box>
  );
}

function One({
  block,
  where,
  onChange,
}: {
  block: BlockJson;
  where: string;
  onChange: (block: BlockJson) => void;
}) {
  if (block.type === "questions")
    return <Items block={block} where={where} name="question" label="问题" onChange={onChange} />;
  if (block.type === "steps")
    return <Items block={block} where={where} name="title" label="步骤" onChange={onChange} />;
  if (!TYPES.some(({ value }) => value === block.type))
    return (
      <Box sx={{ fontSize: 13, color: "text.secondary" }}>
        这个编辑器还不认识这种内容块，保存时会原样保留。
      </Box>
    );
  return <BlockFields block={block} onChange={onChange} />;
}

interface Item {
  key: number;
  title: string;
  blocks: readonly Held[];
}

/** Questions with their answers, or steps with their text. */
function Items({
  block,
  where,
  name,
  label,
  onChange,
}: {
  block: BlockJson;
  where: string;
  name: "question" | "title";
  label: string;
  onChange: (block: BlockJson) => void;
}) {
  // kept beside the block: its parts need keys of their own while they are moved
  const [items, setItems] = useState<readonly Item[]>(() =>
    (Array.isArray(block.items) ? block.items : []).map((item: Record<string, unknown>) => ({
      key: held({ type: "text" }).key,
      title: textOf(item[name]),
      blocks: (Array.isArray(item.blocks) ? (item.blocks as BlockJson[]) : []).map(held),
    })),
  );
  const take = (next: readonly Item[]) => {
    setItems(next);
    onChange({
      ...block,
      items: next.map(({ title, blocks }) => ({ [name]: title, blocks: blocks.map((one) => one.block) })),
    });
  };
  const change = (key: number, part: Partial<Item>) =>
    take(items.map((item) => (item.key === key ? { ...item, ...part } : item)));
  return (
    <>
      {items.map((item, at) => (
        <Box key={item.key} sx={{ pl: 1.5, mb: 1.5, borderLeft: 2, borderColor: "divider" }}>
          <TextInput
            label={`${label} ${at + 1}`}
            value={item.title}
            max={200}
            onChange={(title) => change(item.key, { title })}
          />
          <BlockEditor
            blocks={item.blocks}
            where={`${where}的${label} ${at + 1} `}
            choices={INNER}
            onChange={(blocks) => change(item.key, { blocks })}
          />
          {items.length > 1 && (
            <Button
              size="small"
              color="error"
              sx={{ ...small, mt: 1 }}
              aria-label={`删除${label} ${at + 1}`}
              onClick={() => take(items.filter(({ key }) => key !== item.key))}
            >
              {`删除这个${label}`}
            </Button>
          )}
        </Box>
      ))}
      <Button
        size="small"
        onClick={() =>
          take([...items, { key: held({ type: "text" }).key, title: "", blocks: [held(blank("text"))] }])
        }
      >
        {`添加${label}`}
      </Button>
    </>
  );
}
