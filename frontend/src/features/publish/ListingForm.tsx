import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { codeOf, messageOf } from "@/api";
import { OVERTAKEN, type TransactionMakerListing, useSaveListingMutation } from "@/calls/listings";
import { LabelPicker } from "@/features/upload";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";
import { CategoryField } from "./CategoryField";
import { Choice } from "./Choice";
import { Elsewhere } from "./Elsewhere";
import { Preview } from "./Preview";
import { RefusedDialog } from "./RefusedDialog";
import {
  changeOf,
  isEmpty,
  isOver,
  lengthOf,
  MOST,
  type Problems,
  priceTyped,
  problemsOf,
  termsOf,
  type Values,
} from "./rules";
import { useActs } from "./useActs";
import { useValues } from "./useValues";
import { allowed, LICENSE_CHOICES, ORIGIN_CHOICES } from "./words";

/**
 * Form of a listing with a preview of its card. Only changes are sent.
 *
 * @param onOvertaken called when it was changed elsewhere; returns what it is now
 * @param onWriting called with whether there is unsaved input
 */
export function ListingForm({
  found,
  onOvertaken,
  onWriting,
}: {
  found: TransactionMakerListing;
  onOvertaken: () => Promise<TransactionMakerListing | undefined>;
  onWriting: (writing: boolean) => void;
}) {
  const { loginId } = useSession();
  const { listing } = found;
  const input = useValues(found);
  const { base, revision, values, elsewhere, unsaved } = input;
  const [problems, setProblems] = useState<Problems>({});
  const [save] = useSaveListingMutation();
  const acts = useActs();
  const form = useRef<HTMLFormElement>(null);
  const can = allowed(found);
  // Texts that were typed before a review began elsewhere stay, but cannot be saved.
  const change = can.texts ? changeOf(base, values) : termsOf(changeOf(base, values));
  // Of what is listed, changed texts are reviewed; price and licence hold as they are saved.
  const submits = can.submit || Object.keys(change).length > Object.keys(termsOf(change)).length;
  useEffect(() => onWriting(unsaved), [unsaved, onWriting]);

  const set =
    <Name extends keyof Values>(name: Name) =>
    (value: Values[Name]) => {
      input.set(name, value);
      setProblems(({ [name]: _, ...others }) => others);
    };

  // Too long is told while it is typed, other problems when the field is left.
  const now = problemsOf(values, false, base);
  const problemOf = (name: keyof Values) => problems[name] ?? (isOver(name, values) ? now[name] : undefined);
  const leave = (name: keyof Values) => () => {
    const wrong = now[name];
    if (wrong) setProblems((others) => ({ ...others, [name]: wrong }));
  };

  /** Whether all fields are valid; otherwise focuses the first invalid one. */
  function check(whole: boolean): boolean {
    const wrong = problemsOf(values, whole, base);
    setProblems(wrong);
    if (isEmpty(wrong)) return true;
    toast.warning(Object.values(wrong)[0] ?? "");
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    return false;
  }

  async function saved(): Promise<boolean> {
    if (isEmpty(change)) return true;
    return input.keep(change, async () => {
      const { data, error } = await save({
        userId: loginId,
        listingId: listing.listingId,
        revision,
        ...change,
      });
      // Other failures are reported by the shared wrapper; the form keeps its input.
      if (codeOf(error) !== OVERTAKEN) return data;
      const now = await onOvertaken();
      toast.warning(now && now.revision > revision ? "模型已在别处修改，请核对后再保存" : messageOf(error));
      return undefined;
    });
  }

  async function store() {
    if (check(false) && (await saved())) toast.success("已保存");
  }

  async function handIn() {
    if (check(true) && (await saved())) await acts.act("submit", [listing.listingId]);
  }

  /** What the field is elsewhere, where both sides have changed it. */
  const mark = (field: keyof Values) => (
    <Elsewhere
      field={field}
      values={elsewhere}
      onTake={() => set(field)(elsewhere[field] ?? values[field])}
    />
  );

  const text = (name: "name" | "intro" | "description", label: string, more: object = {}) => (
    <Box>
      <TextField
        fullWidth
        label={label}
        value={values[name]}
        disabled={!can.texts}
        error={problemOf(name) !== undefined}
        helperText={problemOf(name) ?? (can.texts ? `${lengthOf(values[name])} / ${MOST[name]}` : undefined)}
        onChange={(event) => set(name)(event.target.value)}
        onBlur={leave(name)}
        slotProps={{ inputLabel: { shrink: true } }}
        {...more}
      />
      {mark(name)}
    </Box>
  );
  const busy = input.saving || acts.busy;
  const picture =
    found.versions.find(({ state }) => state !== "discarded")?.pictures.find(({ kind }) => kind === "beauty")
      ?.url || listing.thumbUrl;
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
        {input.overtaken && unsaved && (
          <Alert severity="warning">
            {isEmpty(elsewhere)
              ? "模型刚在别处修改过。您没有保存的内容还在，其余已更新。"
              : "模型刚在别处修改过。标出的内容两边都改了，保存时以您填写的为准。"}
          </Alert>
        )}
        <Part title="介绍">
          {text("name", "模型名称", { required: true })}
          <Box>
            <CategoryField
              value={values.categoryId}
              problem={problems.categoryId}
              disabled={!can.texts}
              required
              onChange={set("categoryId")}
            />
            {mark("categoryId")}
          </Box>
          {text("intro", "一句话介绍", { required: true })}
          {text("description", "详细说明", { multiline: true, minRows: 4, maxRows: 14 })}
          {can.texts && (
            <Box>
              <LabelPicker chosen={values.labelIds} most={MOST.labels} onChange={set("labelIds")} />
              {mark("labelIds")}
            </Box>
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
          {mark("origin")}
          <Choice
            label="授权"
            choices={LICENSE_CHOICES}
            value={values.license}
            disabled={!can.terms}
            onChange={set("license")}
          />
          {mark("license")}
        </Part>
        <Part title="定价">
          <Box>
            <TextField
              label="价格"
              required
              value={values.price}
              disabled={!can.terms}
              error={problems.price !== undefined}
              helperText={problems.price ?? (can.terms && "填 0 为免费；收费最低 1 元，最高 99,999.99 元")}
              onChange={(event) => set("price")(priceTyped(event.target.value, values.price))}
              onBlur={leave("price")}
              sx={{ width: "100%", maxWidth: 320 }}
              slotProps={{
                htmlInput: { inputMode: "decimal" },
                inputLabel: { shrink: true },
                input: { startAdornment: <InputAdornment position="start">¥</InputAdornment> },
              }}
            />
            {mark("price")}
          </Box>
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
            disabled={isEmpty(change) && isEmpty(now)}
            onClick={() => void store()}
          >
            保存
          </Button>
        )}
        {submits && (
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
