import Box from "@mui/material/Box";
import { withSeenTurns } from "@/lib/direction";
import { monoFamily } from "@/theme";
import { ScrollBox } from "@/ui/ScrollBox";
import { fieldName, isMoment } from "./fields";
import { moment } from "./format";

export interface Change {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** Parses a text that may be JSON. */
export function readValue(text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isNothing = (value: unknown): boolean => value === undefined || value === null;

function textOf(value: unknown, path: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  return typeof value === "number" && isMoment(path, value) ? moment(value) : JSON.stringify(value);
}

/** The fields that differ, by their path; lists are compared whole. */
export function changes(before: unknown, after: unknown, path = ""): Change[] {
  if (isRecord(before) || isRecord(after)) {
    const left = isRecord(before) ? before : {};
    const right = isRecord(after) ? after : {};
    const fields = [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
      changes(left[name], right[name], path ? `${path}.${name}` : name),
    );
    // A plain value beside a record is a change of its own.
    const plain = [before, after].map((value) => (isRecord(value) || isNothing(value) ? undefined : value));
    return plain.every(isNothing) ? fields : [...changes(plain[0], plain[1], path), ...fields];
  }
  const [was, is] = [textOf(before, path), textOf(after, path)];
  return was === is ? [] : [{ path: path || "值", before: was, after: is }];
}

/** A change field by field: before and after. */
export function Difference({ before, after }: { before: unknown; after: unknown }) {
  const list = changes(before, after);
  if (list.length === 0) return <Box sx={{ color: "text.secondary", fontSize: 13 }}>没有字段变化</Box>;
  return (
    <ScrollBox label="变更前后">
      <Box
        component="table"
        sx={{
          width: "100%",
          borderCollapse: "collapse",
          fontSize: 13,
          "& th, & td": { textAlign: "left", verticalAlign: "top", py: 0.5, pr: 2, fontWeight: 400 },
          "& thead th": { color: "text.secondary", fontSize: 12 },
          "& td": { fontFamily: monoFamily, fontSize: 12, overflowWrap: "anywhere" },
        }}
      >
        <thead>
          <tr>
            <th scope="col">字段</th>
            <th scope="col">变更前</th>
            <th scope="col">变更后</th>
          </tr>
        </thead>
        <tbody>
          {list.map(({ path, before: was, after: is }) => (
            <tr key={path}>
              <th scope="row">
                <Field path={path} />
              </th>
              <td>{was === undefined ? "—" : <Mark tone="was">{was}</Mark>}</td>
              <td>{is === undefined ? "—" : <Mark tone="is">{is}</Mark>}</td>
            </tr>
          ))}
        </tbody>
      </Box>
    </ScrollBox>
  );
}

/** A field's Chinese name, with its technical one beside it. */
function Field({ path }: { path: string }) {
  const name = fieldName(path);
  if (!name) return <>{path}</>;
  return (
    <>
      {name}{" "}
      <Box component="span" sx={{ fontFamily: monoFamily, fontSize: 12, color: "text.secondary" }}>
        {path}
      </Box>
    </>
  );
}

/** The column distinguishes before and after; the colour only helps. */
function Mark({ tone, children }: { tone: "was" | "is"; children: string }) {
  return (
    <Box
      component={tone === "was" ? "del" : "ins"}
      sx={{
        px: 0.5,
        borderRadius: "2px",
        textDecoration: "none",
        backgroundColor: tone === "was" ? "rgba(220, 38, 38, .08)" : "rgba(22, 163, 74, .1)",
      }}
    >
      {withSeenTurns(children)}
    </Box>
  );
}
