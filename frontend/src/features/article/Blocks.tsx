import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { ScrollBox } from "@/ui/ScrollBox";
import { type Block, type Inline, keyed, plain } from "./blocks";
import { Code } from "./Code";
import { Figures } from "./Figures";
import { InlineText } from "./InlineText";
import { LiveCompare, LiveModel } from "./Live";
import { Caption, Picture, PictureFrame } from "./Picture";
import { Questions } from "./Questions";
import { Steps } from "./Steps";

type Of<Type extends Block["type"]> = Extract<Block, { type: Type }>;

const TEXT = { fontSize: 16, lineHeight: "29px", overflowWrap: "anywhere" } as const;

function Heading({ block }: { block: Of<"heading"> }) {
  const first = block.level === 2;
  return (
    <Box
      component={first ? "h2" : "h3"}
      id={block.id}
      sx={{
        m: 0,
        mt: first ? 6 : 4,
        fontSize: first ? 24 : 18,
        lineHeight: 1.45,
        fontWeight: 600,
        "&:first-of-type": first ? { mt: 4 } : undefined,
        "& > a": { ml: 1, color: "primary.main", textDecoration: "none", opacity: 0 },
        "&:hover > a, & > a:focus-visible": { opacity: 1 },
      }}
    >
      <InlineText text={block.text} />
      <a href={`#${encodeURIComponent(block.id)}`} aria-label={`本节的链接：${plain(block.text)}`}>
        #
      </a>
    </Box>
  );
}

function List({ block }: { block: Of<"list"> }) {
  return (
    <Box
      component={block.ordered ? "ol" : "ul"}
      sx={{ ...TEXT, m: 0, mt: 2, pl: 3, "& li": { mt: 0.75 }, "& li::marker": { color: "text.secondary" } }}
    >
      {keyed(block.items).map(({ key, item }) => (
        <li key={key}>
          <InlineText text={item} />
        </li>
      ))}
    </Box>
  );
}

const TABLE = {
  width: "100%",
  minWidth: 480,
  borderCollapse: "collapse",
  fontSize: 14,
  lineHeight: "24px",
  "& th, & td": {
    py: 1.25,
    pr: 3,
    textAlign: "left",
    verticalAlign: "top",
    borderBottom: 1,
    borderColor: "divider",
  },
  "& thead th": { fontSize: 12, fontWeight: 500, color: "text.secondary" },
  "& tbody th": { fontWeight: 500 },
} as const;

function Cells({ row, of }: { row: readonly (readonly Inline[])[]; of: "head" | "body" }) {
  return (
    <tr>
      {keyed(row).map(({ key, item: cell }) => {
        const text = <InlineText text={cell} />;
        if (of === "body" && key !== "0") return <td key={key}>{text}</td>;
        // an empty head cell is no header
        if (cell.length === 0) return <td key={key} />;
        return (
          <th key={key} scope={of === "head" ? "col" : "row"}>
            {text}
          </th>
        );
      })}
    </tr>
  );
}

function Table({ block }: { block: Of<"table"> }) {
  const { head, rows } = block;
  return (
    <Box sx={{ mt: 3 }}>
      <ScrollBox label={`表格：${head.map(plain).filter(Boolean).join("、")}`}>
        <Box component="table" sx={TABLE}>
          <thead>
            <Cells row={head} of="head" />
          </thead>
          <tbody>
            {keyed(rows).map(({ key, item }) => (
              <Cells key={key} row={item} of="body" />
            ))}
          </tbody>
        </Box>
      </ScrollBox>
    </Box>
  );
}

function Action({ block }: { block: Of<"action"> }) {
  return (
    <Box sx={{ mt: 4 }}>
      <Button component={Link} to={block.path} variant="contained" size="large">
        {block.label}
      </Button>
    </Box>
  );
}

/** Blocks of a question or a step. */
const drawn = (blocks: readonly Block[]) => <Blocks blocks={blocks} />;

function One({ block, rank }: { block: Block; rank: "h2" | "h3" }) {
  switch (block.type) {
    case "heading":
      return <Heading block={block} />;
    case "text":
      return (
        <Box component="p" sx={{ ...TEXT, m: 0, mt: 2 }}>
          <InlineText text={block.text} />
        </Box>
      );
    case "list":
      return <List block={block} />;
    case "table":
      return <Table block={block} />;
    case "code":
      return <Code language={block.language} text={block.text} />;
    case "picture":
      return (
        <Box component="figure" sx={{ m: 0, mt: 3 }}>
          <PictureFrame>
            <Picture recipe={block.recipe} alt={block.alt} />
          </PictureFrame>
          <Caption>{block.alt}</Caption>
        </Box>
      );
    case "model":
      return <LiveModel recipe={block.recipe} note={block.note} />;
    case "compare":
      return <LiveCompare recipe={block.recipe} note={block.note} />;
    case "action":
      return <Action block={block} />;
    case "figure":
      return <Figures figures={[block]} />;
    case "questions":
      return <Questions items={block.items} draw={drawn} />;
    case "steps":
      return <Steps items={block.items} heading={rank} draw={drawn} />;
  }
}

/** Groups consecutive figures, which are shown side by side. */
function grouped(blocks: readonly Block[]): (Block | Of<"figure">[])[] {
  const groups: (Block | Of<"figure">[])[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.type !== "figure") groups.push(block);
    else if (Array.isArray(last)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

/** The body of an article. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  const groups = grouped(blocks);
  const first = groups.findIndex((one) => !Array.isArray(one) && one.type === "heading");
  return keyed(groups).map(({ key, item }, at) =>
    Array.isArray(item) ? (
      <Figures key={key} figures={item} />
    ) : (
      // steps before the first heading are sections of the page
      <One key={key} block={item} rank={first >= 0 && at > first ? "h3" : "h2"} />
    ),
  );
}
