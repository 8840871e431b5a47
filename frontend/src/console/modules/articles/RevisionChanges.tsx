import Box from "@mui/material/Box";
import { skipToken } from "@reduxjs/toolkit/query";
import { useArticleRevisionShowQuery } from "../../api/generated/content";
import { Loaded } from "../../kit/states";
import { compareLines, type LineChange, linesIn } from "./form";

const GROUND: Record<LineChange["kind"], string | undefined> = {
  same: undefined,
  gone: "rgba(220, 38, 38, .08)",
  new: "rgba(22, 163, 74, .1)",
};
const SIGN: Record<LineChange["kind"], string> = { same: "　", gone: "−", new: "＋" };
const TELL: Record<LineChange["kind"], string | undefined> = { same: undefined, gone: "删去", new: "加上" };

/** Line diff of two revisions; `before` 0: no earlier one. */
export function RevisionChanges({ id, before, after }: { id: string; before: number; after: number }) {
  const newer = useArticleRevisionShowQuery({ id, revision: after });
  const older = useArticleRevisionShowQuery(
    before > 0 && before !== after ? { id, revision: before } : skipToken,
  );
  return (
    <Loaded query={newer} what="版本" rows={6}>
      {({ draft }) =>
        before > 0 && before !== after ? (
          <Loaded query={older} what="旧版本" rows={6}>
            {(old) => <Lines changes={compareLines(linesIn(old.draft), linesIn(draft))} />}
          </Loaded>
        ) : (
          <Lines changes={linesIn(draft).map((text) => ({ kind: "same", text }))} />
        )
      }
    </Loaded>
  );
}

function Lines({ changes }: { changes: readonly LineChange[] }) {
  const rows = changes.map((change, at) => ({ ...change, key: `${at}` }));
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label="改动"
      sx={{ maxHeight: 360, overflowY: "auto", fontSize: 13, lineHeight: "22px" }}
    >
      {rows.map(({ key, kind, text }) => (
        <Box
          key={key}
          component={kind === "gone" ? "del" : kind === "new" ? "ins" : "div"}
          aria-label={TELL[kind] && `${TELL[kind]}：${text}`}
          sx={{
            display: "flex",
            gap: 1,
            textDecoration: "none",
            color: kind === "same" ? "text.secondary" : "text.primary",
            backgroundColor: GROUND[kind],
            overflowWrap: "anywhere",
            whiteSpace: "pre-wrap",
          }}
        >
          <span aria-hidden>{SIGN[kind]}</span>
          <span>{text}</span>
        </Box>
      ))}
    </Box>
  );
}
