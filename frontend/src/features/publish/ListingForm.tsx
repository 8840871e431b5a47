import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import { type ReactNode, useRef, useState } from "react";
import { type TransactionMakerListing, useSaveListingMutation } from "@/calls/transaction";
import { LabelPicker } from "@/features/upload";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";
import { CategoryField } from "./CategoryField";
import { Choice } from "./Choice";
import { Preview } from "./Preview";
import { RefusedDialog } from "./RefusedDialog";
import { changeOf, isEmpty, lengthOf, MOST, type Problems, problemsOf, type Values, valuesOf } from "./rules";
import { useActs } from "./useActs";
import { allowed, LICENSE_CHOICES, ORIGIN_CHOICES } from "./words";

/** Form of a listing with a preview of its card. Only changes are sent. */
export function ListingForm({ found }: { found: TransactionMakerListing }) {
  const { loginId } = useSession();
  const { listing, revision } = found;
  const before = valuesOf(found);
  const [values, setValues] = useState<Values>(before);
  const [problems, setProblems] = useState<Problems>({});
  const [save, { isLoading }] = useSaveListingMutation();
  const acts = useActs();
  const form = useRef<HTMLFormElement>(null);
  const can = allowed(found);
  const change = changeOf(before, values);

  const set =
    <Name extends keyof Values>(name: Name) =>
    (value: Values[Name]) => {
      setValues((old) => ({ ...old, [name]: value }));
      setProblems(({ [name]: _, ...others }) => others);
    };

  /** Whether all fields are valid; otherwise focuses the first invalid one. */
  function check(whole: boolean): boolean {
    const wrong = problemsOf(values, whole);
    setProblems(wrong);
    if (isEmpty(wrong)) return true;
    toast.warning(Object.values(wrong)[0] ?? "");
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    return false;
  }

  async function saved(): Promise<boolean> {
    if (isEmpty(change)) return true;
    try {
      await save({ userId: loginId, listingId: listing.listingId, revision, ...change }).unwrap();
      return true;
    } catch {
      // already reported by the shared wrapper; the form keeps its input
      return false;
    }
  }

  async function keep() {
    if (check(false) && (await saved())) toast.success("已保存");
  }

  async function handIn() {
    if (check(true) && (await saved())) await acts.act("submit", [listing.listingId]);
  }

  const text = (name: "name" | "intro" | "description", label: string, more: object = {}) => (
    <TextField
      label={label}
      value={values[name]}
      disabled={!can.texts}
      error={problems[name] !== undefined}
      helperText={problems[name] ?? (can.texts ? `${lengthOf(values[name])} / ${MOST[name]}` : undefined)}
      onChange={(event) => set(name)(event.target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
      {...more}
    />
  );
  const busy = isLoading || acts.busy;
  const picture = found.versions[0]?.pictures.find(({ kind }) => kind === "beauty")?.url || listing.thumbUrl;
  return (
    <Box
      component="form"
      ref={form}
      noValidate
      aria-label="模型资料"
      onSubmit={(event) => {
        event.preventDefault();
        void handIn();
      }}
      sx={{
        display: "grid",
        gap: 3,
        alignItems: "start",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 260px" },
      }}
    >
      <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0, 1fr)" }}>
        <Part title="介绍">
          {text("name", "模型名称", { required: true })}
          <CategoryField
            value={values.categoryId}
            problem={problems.categoryId}
            disabled={!can.texts}
            onChange={set("categoryId")}
          />
          {text("intro", "一句话介绍", { required: true })}
          {text("description", "详细说明", { multiline: true, minRows: 4, maxRows: 14 })}
          {can.texts && (
            <LabelPicker chosen={values.labelIds} most={MOST.labels} onChange={set("labelIds")} />
          )}
        </Part>
        <Part title="来源与授权">
          <Choice
            label="来源"
            choices={ORIGIN_CHOICES}
            value={values.origin}
            disabled={!can.texts}
            onChange={set("origin")}
          />
          <Choice
            label="授权"
            choices={LICENSE_CHOICES}
            value={values.license}
            disabled={!can.terms}
            onChange={set("license")}
          />
        </Part>
        <Part title="定价">
          <TextField
            label="价格"
            required
            value={values.price}
            disabled={!can.terms}
            error={problems.price !== undefined}
            helperText={problems.price ?? (can.terms && "填 0 为免费；收费最低 1 元，最高 99,999.99 元")}
            onChange={(event) => set("price")(event.target.value)}
            sx={{ maxWidth: 320 }}
            slotProps={{
              htmlInput: { inputMode: "decimal", maxLength: 12 },
              inputLabel: { shrink: true },
              input: { startAdornment: <InputAdornment position="start">¥</InputAdornment> },
            }}
          />
        </Part>
      </Box>
      <Box
        sx={{
          position: { lg: "sticky" },
          top: { lg: 96 },
          display: "grid",
          gap: 2,
          gridTemplateColumns: "minmax(0, 1fr)",
          maxWidth: { xs: 320, lg: "none" },
        }}
      >
        <Preview values={values} picture={picture || undefined} formats={listing.formats} />
        {(can.texts || can.terms) && (
          <Button
            variant="outlined"
            loading={busy}
            disabled={isEmpty(change) && isEmpty(problemsOf(values, false))}
            onClick={() => void keep()}
          >
            保存
          </Button>
        )}
        {can.submit && (
          <Button type="submit" variant="contained" loading={busy}>
            保存并提交审核
          </Button>
        )}
      </Box>
      <RefusedDialog refused={acts.refused} nameOf={() => listing.name} onClose={acts.forget} />
    </Box>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{
        p: { xs: 2, sm: 2.5 },
        display: "grid",
        gap: 2.5,
        gridTemplateColumns: "minmax(0, 1fr)",
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        bgcolor: "background.paper",
      }}
    >
      <Box component="h2" sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}
