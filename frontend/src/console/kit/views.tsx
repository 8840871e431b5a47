import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import OutlinedInput from "@mui/material/OutlinedInput";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "react-router";
import { localStore } from "@/lib/storage";
import CloseIcon from "@/ui/icons/Close";

interface View {
  name: string;
  query: string;
}

const MOST_VIEWS = 12;
const keyOf = (listId: string) => `xuanlan.console.views.${listId}`;

function readViews(listId: string): View[] {
  try {
    const list: unknown = JSON.parse(localStore.get(keyOf(listId)) ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.filter((one): one is View => typeof one?.name === "string" && typeof one?.query === "string");
  } catch {
    return [];
  }
}

/** The address' filters in canonical order, without the page, so that equal views compare equal. */
function normal(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("after");
  query.sort();
  return query.toString();
}

const pill = (here: boolean) =>
  ({
    fontSize: 13,
    lineHeight: "20px",
    px: 1,
    py: 0.25,
    borderRadius: "4px",
    textDecoration: "none",
    color: here ? "primary.dark" : "text.secondary",
    fontWeight: here ? 500 : 400,
    backgroundColor: here ? "#EAF0FF" : "transparent",
    "&:hover": { color: "primary.main" },
  }) as const;

/** Sets of filters that this operator saves under a name, in this browser. */
export function Views({ listId }: { listId: string }) {
  const { pathname, search } = useLocation();
  const [views, setViews] = useState(() => readViews(listId));
  const [naming, setNaming] = useState(false);
  const here = normal(search);
  const keep = (next: View[]) => {
    setViews(next);
    localStore.set(keyOf(listId), JSON.stringify(next));
  };
  const known = here === "" || views.some(({ query }) => query === here);
  if (views.length === 0 && known) return null;
  return (
    <Box
      component="nav"
      aria-label="常用筛选"
      sx={{ display: "flex", gap: 0.5, flexWrap: "wrap", alignItems: "center" }}
    >
      <Box
        component={Link}
        to={pathname}
        aria-current={here === "" ? "true" : undefined}
        sx={pill(here === "")}
      >
        全部
      </Box>
      {views.map(({ name, query }) => (
        <Box key={name} component="span" sx={{ display: "inline-flex", alignItems: "center" }}>
          <Box
            component={Link}
            to={`${pathname}?${query}`}
            aria-current={query === here ? "true" : undefined}
            sx={pill(query === here)}
          >
            {name}
          </Box>
          {query === here && (
            <IconButton
              size="small"
              aria-label={`删除常用筛选“${name}”`}
              onClick={() => keep(views.filter((one) => one.name !== name))}
            >
              <CloseIcon sx={{ fontSize: 14 }} />
            </IconButton>
          )}
        </Box>
      ))}
      {!known && views.length < MOST_VIEWS && (
        <Button
          size="small"
          onClick={() => setNaming(true)}
          sx={{ minHeight: 24, py: 0, px: 1, fontSize: 13 }}
        >
          保存当前筛选
        </Button>
      )}
      <NameDialog
        open={naming}
        onClose={() => setNaming(false)}
        onName={(name) => keep([...views.filter((one) => one.name !== name), { name, query: here }])}
      />
    </Box>
  );
}

function NameDialog({
  open,
  onClose,
  onName,
}: {
  open: boolean;
  onClose: () => void;
  onName: (name: string) => void;
}) {
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return;
    onName(name.trim());
    setName("");
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="view-title">
      <form onSubmit={submit}>
        <DialogTitle id="view-title">保存当前筛选</DialogTitle>
        <DialogContent>
          <OutlinedInput
            autoFocus
            fullWidth
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder="例如：近七天冻结"
            inputProps={{ "aria-label": "名称", maxLength: 20 }}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            取消
          </Button>
          <Button type="submit" variant="contained" disabled={!name.trim()}>
            保存
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
