import Box from "@mui/material/Box";
import Dialog from "@mui/material/Dialog";
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { withSeenTurns } from "@/lib/direction";
import type { SearchHit } from "../kit/contract";
import { useOperator } from "../session/slice";
import { areas, OWN, partsOf, railOf } from "./areas";

/** Delay after the last letter before the areas are searched, in milliseconds. */
const PAUSE_MS = 250;

interface Section {
  title: string;
  hits: readonly SearchHit[];
}

/** Matching pages by their title, without delay. */
function usePages(text: string): Section {
  const operator = useOperator();
  return useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const listed = railOf(operator).flatMap(({ title: group, links }) =>
      links.map(({ title, to }) => ({ title, to, detail: group })),
    );
    const own: SearchHit = { ...OWN, detail: "密码、验证器、恢复码、登录" };
    const hits = [...listed, own].filter(({ title, detail, to }) =>
      `${title} ${detail ?? ""} ${to}`.toLowerCase().includes(wanted),
    );
    return { title: "页面", hits };
  }, [operator, text]);
}

/** Results of the areas, as each arrives; a failed search finds nothing. */
function useFound(text: string): { sections: Section[]; busy: boolean } {
  const operator = useOperator();
  const [sections, setSections] = useState<Section[]>([]);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setSections([]);
    const wanted = text.trim();
    if (!wanted) {
      setBusy(false);
      return undefined;
    }
    setBusy(true);
    const stop = new AbortController();
    const timer = window.setTimeout(async () => {
      const sources = partsOf(operator, (module) => module.search, areas);
      await Promise.all(
        sources.map(async ({ title, find }) => {
          const hits = await find(wanted, stop.signal).catch(() => []);
          if (!stop.signal.aborted && hits.length > 0) setSections((old) => [...old, { title, hits }]);
        }),
      );
      if (!stop.signal.aborted) setBusy(false);
    }, PAUSE_MS);
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [operator, text]);
  return { sections, busy };
}

/** Ctrl+K: searches pages and the areas; arrow keys select. */
export function CommandBar({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      slotProps={{ paper: { "aria-label": "搜索与跳转" } }}
      maxWidth="sm"
      fullWidth
      sx={{ "& .MuiDialog-container": { alignItems: "flex-start", pt: { xs: 0, md: 8 } } }}
    >
      {open && <Search onClose={onClose} />}
    </Dialog>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const pages = usePages(text);
  const { sections, busy } = useFound(text);
  const all = [...sections, pages].filter(({ hits }) => hits.length > 0);
  const flat = all.flatMap(({ hits }) => hits);
  const here = Math.min(at, flat.length - 1);

  const go = (hit: SearchHit | undefined) => {
    if (!hit) return;
    onClose();
    navigate(hit.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && flat.length > 0) {
      event.preventDefault();
      const next = (here + step + flat.length) % flat.length;
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView?.({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      go(flat[here]);
    }
  };

  let index = -1;
  return (
    <Box>
      <Box
        component="input"
        autoFocus
        role="combobox"
        aria-label="搜索用户、页面"
        aria-expanded={flat.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={here >= 0 ? `${id}-${here}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        value={text}
        maxLength={100}
        placeholder="输入手机号、账号、昵称或页面名称"
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        sx={{
          width: "100%",
          height: 52,
          px: 2,
          border: 0,
          borderBottom: "1px solid",
          borderColor: "divider",
          outline: "none",
          font: "inherit",
          fontSize: 16,
          color: "text.primary",
          backgroundColor: "transparent",
        }}
      />
      <Box
        id={`${id}-list`}
        role="listbox"
        aria-label="结果"
        sx={{ maxHeight: "min(60vh, 420px)", overflowY: "auto", p: 1 }}
      >
        {all.map(({ title, hits }) => (
          <Box key={title} role="group" aria-label={title}>
            <Box aria-hidden="true" sx={{ px: 1, fontSize: 12, lineHeight: "24px", color: "text.secondary" }}>
              {title}
            </Box>
            {hits.map((hit) => {
              index += 1;
              const mine = index;
              return (
                <Box
                  key={`${hit.to} ${hit.title}`}
                  id={`${id}-${mine}`}
                  role="option"
                  aria-selected={mine === here}
                  onClick={() => go(hit)}
                  onMouseMove={() => setAt(mine)}
                  sx={{
                    display: "flex",
                    gap: 1,
                    alignItems: "baseline",
                    px: 1,
                    py: 0.75,
                    borderRadius: "4px",
                    cursor: "pointer",
                    backgroundColor: mine === here ? "#EAF0FF" : "transparent",
                  }}
                >
                  <Box
                    sx={{ minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
                  >
                    <bdi>{withSeenTurns(hit.title)}</bdi>
                  </Box>
                  {hit.detail && (
                    <Box
                      sx={{
                        ml: "auto",
                        minWidth: 0,
                        flexShrink: 0.2,
                        overflow: "hidden",
                        textOverflow: "ellipsis",
                        fontSize: 12,
                        color: "text.secondary",
                        whiteSpace: "nowrap",
                      }}
                    >
                      <bdi>{withSeenTurns(hit.detail)}</bdi>
                    </Box>
                  )}
                </Box>
              );
            })}
          </Box>
        ))}
      </Box>
      <Box
        role="status"
        sx={{ px: 2, pb: flat.length === 0 || busy ? 2 : 0, fontSize: 13, color: "text.secondary" }}
      >
        {busy ? "正在查找…" : flat.length === 0 ? "没有找到" : ""}
      </Box>
    </Box>
  );
}
