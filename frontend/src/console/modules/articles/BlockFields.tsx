import { useState } from "react";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { TextInput } from "../../kit/TextInput";
import {
  type BlockJson,
  readItems,
  readParams,
  readTable,
  shownItems,
  shownParams,
  shownRuns,
  shownTable,
  textOf,
} from "./form";
import { readTyped } from "./inline";

const LONG = 20_000;
const INLINE_HINT = "**加粗**、`代码`、[文字](/路径)";

interface FieldsProps {
  block: BlockJson;
  onChange: (block: BlockJson) => void;
}

/** A field whose value is parsed from the text; keeps the text as typed. */
function Typed({
  label,
  start,
  rows = 1,
  hint,
  onChange,
}: {
  label: string;
  start: string;
  rows?: number;
  hint?: string;
  onChange: (text: string) => void;
}) {
  const [text, setText] = useState(start);
  return (
    <TextInput
      label={label}
      value={text}
      rows={rows}
      max={LONG}
      hint={hint}
      onChange={(next) => {
        setText(next);
        onChange(next);
      }}
    />
  );
}

/** Model, view and parameters of a picture or a live model. */
function Recipe({ block, onChange }: FieldsProps) {
  const params = (text: string) => {
    const read = readParams(text);
    const { params: _, ...rest } = block;
    onChange(Object.keys(read).length > 0 ? { ...rest, params: read } : { ...rest, type: block.type });
  };
  return (
    <>
      <TextInput
        label="示例模型"
        value={textOf(block.sample)}
        max={40}
        hint="modelkit sample 的名字，如 spur-gear"
        onChange={(sample) => onChange({ ...block, sample })}
      />
      {block.type === "picture" && (
        <TextInput
          label="视角"
          value={textOf(block.view)}
          max={40}
          hint="如 front、side、iso"
          onChange={(view) => onChange({ ...block, view })}
        />
      )}
      <Typed
        label="参数"
        start={shownParams(block.params)}
        hint="可不填，如 teeth=24 module=2"
        onChange={params}
      />
    </>
  );
}

/** The fields of one block, except questions and steps. */
export function BlockFields({ block, onChange }: FieldsProps) {
  const plain = (name: string, label: string, more: { rows?: number; max?: number; hint?: string } = {}) => (
    <TextInput
      label={label}
      value={textOf(block[name])}
      max={200}
      {...more}
      onChange={(text) => onChange({ ...block, [name]: text })}
    />
  );
  switch (block.type) {
    case "heading":
      return (
        <>
          <ChoiceInput
            label="级别"
            value={block.level === 3 ? 3 : 2}
            choices={[
              { value: 2, text: "节" },
              { value: 3, text: "小节" },
            ]}
            onChange={(level) => onChange({ ...block, level })}
          />
          <Typed
            label="标题文字"
            start={shownRuns(block.text)}
            onChange={(text) => onChange({ ...block, text: readTyped(text.trim()) })}
          />
          {plain("id", "锚点", { max: 80, hint: "不填则自动生成；已有的链接会用到它" })}
        </>
      );
    case "text":
      return (
        <Typed
          label="文字"
          rows={3}
          start={shownRuns(block.text)}
          hint={INLINE_HINT}
          onChange={(text) => onChange({ ...block, text: readTyped(text.trim()) })}
        />
      );
    case "list":
      return (
        <>
          <ChoiceInput
            label="样式"
            value={block.ordered === true ? 1 : 0}
            choices={[
              { value: 0, text: "项目" },
              { value: 1, text: "编号" },
            ]}
            onChange={(ordered) => onChange({ ...block, ordered: ordered === 1 })}
          />
          <Typed
            label="各项，每行一项"
            rows={4}
            start={shownItems(block.items)}
            hint={INLINE_HINT}
            onChange={(text) => onChange({ ...block, items: readItems(text) })}
          />
        </>
      );
    case "table":
      return (
        <Typed
          label="表格，首行是表头"
          rows={4}
          start={shownTable(block)}
          hint="每行一行，单元格之间用 | 隔开"
          onChange={(text) => onChange({ ...block, ...readTable(text) })}
        />
      );
    case "code":
      return (
        <>
          {plain("language", "语言", { max: 20 })}
          {plain("text", "代码", { rows: 6, max: 8_000 })}
        </>
      );
    case "picture":
      return (
        <>
          <Recipe block={block} onChange={onChange} />
          {plain("alt", "图上是什么")}
        </>
      );
    case "model":
    case "compare":
      return (
        <>
          <Recipe block={block} onChange={onChange} />
          {plain("note", "说明")}
        </>
      );
    case "figure":
      return (
        <>
          {plain("value", "数字", { max: 40, hint: "如 6.4 MB" })}
          {plain("note", "说的是什么")}
          {plain("source", "出处", { hint: "量出它的命令或运行" })}
        </>
      );
    case "action":
      return (
        <>
          {plain("label", "按钮文字", { max: 40 })}
          {plain("path", "站内路径", { max: 500 })}
        </>
      );
    default:
      return null;
  }
}
