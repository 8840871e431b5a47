import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import MenuItem from "@mui/material/MenuItem";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOf } from "@/api";
import { usePersonalTextAntispamScanMutation } from "@/calls/personal";
import {
  useProcessGetLabelCateListByCateTypeQuery,
  useProcessGetLabelObjectListByParentIdQuery,
  useProcessModelReleaseMutation,
  useProcessUpdateModelFileMutation,
} from "@/calls/process";
import { useSession } from "@/session";
import type { ModelType } from "@/transfer/rules";
import { toast } from "@/ui/toast";
import { FILE_SOURCE, modelTypeCode } from "./flow";
import { judgeModelName, uploadTexts } from "./texts";

/** Kind of categories that models are filed under. */
const CATE_TYPE = "model";
const MAX_LABELS = 5;

interface Fields {
  modelName: string;
}

/** Step 3, and the release dialog: a name that passed the scan, and labels. */
export function NameForm({
  fileId,
  modelType,
  defaultName,
  defaultLabels = [],
  submitText,
  release,
  onDone,
  onCancel,
}: {
  fileId: string;
  modelType: ModelType;
  defaultName: string;
  defaultLabels?: readonly string[];
  submitText: string;
  /** true: the file becomes a model; false: only its name and labels change */
  release: boolean;
  onDone: () => void;
  onCancel: () => void;
}) {
  const { loginId } = useSession();
  // A 401, also of the labels: whoever was signed in no longer is, so there is nothing left to fill in.
  useEffect(() => {
    if (loginId === "") onCancel();
  }, [loginId, onCancel]);
  const form = useForm<Fields>({ defaultValues: { modelName: defaultName }, mode: "onChange" });
  const [labels, setLabels] = useState<readonly string[]>(defaultLabels);
  const [scan] = usePersonalTextAntispamScanMutation();
  const [update] = useProcessUpdateModelFileMutation();
  const [publish] = useProcessModelReleaseMutation();

  const submit = form.handleSubmit(
    async ({ modelName }) => {
      const name = modelName.trim();
      try {
        await scan({ content: name }).unwrap();
      } catch (error) {
        const message = uploadTexts.nameRefused(messageOf(error) || "内容检测没有完成，请重试");
        form.setError("modelName", { message });
        toast.error(message);
        return;
      }
      try {
        await update({ fileId, modelName: name, labelIds: labels.join(",") }).unwrap();
        if (release) {
          await publish({
            userId: loginId,
            fileId,
            modelName: name,
            modelType: modelTypeCode[modelType],
            fileSource: FILE_SOURCE,
          }).unwrap();
        }
      } catch {
        // the shared wrapper has told why; the form stays as it is
        return;
      }
      onDone();
    },
    () => toast.warning(uploadTexts.formIncomplete),
  );

  const { error } = form.getFieldState("modelName", form.formState);
  return (
    <Box component="form" noValidate onSubmit={submit}>
      <TextField
        label="模型名称"
        required
        fullWidth
        autoFocus
        error={error !== undefined}
        helperText={error?.message ?? "1 到 15 个字符"}
        slotProps={{
          htmlInput: { "aria-describedby": "model-name-help" },
          formHelperText: { id: "model-name-help" },
        }}
        {...form.register("modelName", { validate: (value) => judgeModelName(value) ?? true })}
      />
      <LabelPicker chosen={labels} onChange={setLabels} />
      <Box sx={{ mt: 3, display: "flex", justifyContent: "flex-end", gap: 1.5 }}>
        <Button color="inherit" onClick={onCancel} disabled={form.formState.isSubmitting}>
          取消
        </Button>
        <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
          {submitText}
        </Button>
      </Box>
    </Box>
  );
}

/** Heights in pixels of what the picker is made of; it takes the same room loading, loaded and empty. */
const SELECT_PX = 44;
/** Two rows of chips. */
const CHIPS_PX = 72;
const HINT_PX = 18;

function LabelPicker({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
}) {
  const categories = useProcessGetLabelCateListByCateTypeQuery({ cateType: CATE_TYPE });
  const [picked, setPicked] = useState<string>();
  const category = picked ?? categories.data?.[0]?.id ?? "";
  const labels = useProcessGetLabelObjectListByParentIdQuery(
    { parentId: category },
    { skip: category === "" },
  );
  const toggle = (id: string) => {
    if (chosen.includes(id)) onChange(chosen.filter((one) => one !== id));
    else if (chosen.length < MAX_LABELS) onChange([...chosen, id]);
    else toast.warning(`最多选择 ${MAX_LABELS} 个标签`);
  };
  const empty = !categories.isLoading && !categories.data?.length;
  return (
    <Box
      data-testid="label-picker"
      aria-busy={categories.isLoading || labels.isFetching}
      sx={{
        mt: 3,
        display: "flex",
        flexDirection: "column",
        minHeight: SELECT_PX + 12 + CHIPS_PX + 4 + HINT_PX,
      }}
    >
      {empty ? (
        <NoLabels
          failed={categories.isError}
          chosen={chosen.length}
          onRetry={() => void categories.refetch()}
        />
      ) : (
        <>
          {categories.data ? (
            <TextField
              select
              fullWidth
              label="标签分类"
              value={category}
              onChange={(event) => setPicked(event.target.value)}
              sx={{ minHeight: SELECT_PX }}
            >
              {categories.data.map((one) => (
                <MenuItem key={one.id} value={one.id}>
                  {one.name}
                </MenuItem>
              ))}
            </TextField>
          ) : (
            <Skeleton variant="rounded" height={SELECT_PX} />
          )}
          <Box
            role="group"
            aria-label="标签"
            sx={{
              display: "flex",
              flexWrap: "wrap",
              gap: 1,
              mt: 1.5,
              minHeight: CHIPS_PX,
              alignContent: "flex-start",
            }}
          >
            {labels.currentData ? (
              labels.currentData.map((label) => {
                const on = chosen.includes(label.id);
                return (
                  <Chip
                    key={label.id}
                    label={label.name}
                    clickable
                    aria-pressed={on}
                    color={on ? "primary" : "default"}
                    variant={on ? "filled" : "outlined"}
                    onClick={() => toggle(label.id)}
                  />
                );
              })
            ) : labels.isError ? (
              <NoLabels failed chosen={chosen.length} onRetry={() => void labels.refetch()} />
            ) : (
              <Skeleton variant="rounded" height={CHIPS_PX} width="100%" />
            )}
          </Box>
          <Box
            sx={{ mt: 0.5, fontSize: 12, lineHeight: `${HINT_PX}px`, color: "text.secondary" }}
          >{`可选，最多 ${MAX_LABELS} 个，已选 ${chosen.length} 个`}</Box>
        </>
      )}
    </Box>
  );
}

/** Labels are optional: without a catalogue the name alone can be saved, and the labels it has stay. */
function NoLabels({ failed, chosen, onRetry }: { failed: boolean; chosen: number; onRetry: () => void }) {
  const kept = chosen > 0 ? `已选的 ${chosen} 个标签会保留` : "不影响保存名称";
  return (
    <Box sx={{ my: "auto", display: "flex", alignItems: "center", gap: 1, color: "text.secondary" }}>
      {failed ? `标签没有读取成功，${kept}。` : `还没有可选的标签，${kept}。`}
      {failed && (
        <Button size="small" onClick={onRetry}>
          重试
        </Button>
      )}
    </Box>
  );
}
