import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import MenuItem from "@mui/material/MenuItem";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useGetLabelCateListByCateTypeQuery, useGetLabelObjectListByParentIdQuery } from "@/calls/process";
import { toast } from "@/ui/toast";

/** Category type of models. */
const CATE_TYPE = "model";
/** Heights of the picker's parts in pixels; it keeps its size whether loading, loaded or empty. */
const SELECT_PX = 44;
/** Two rows of chips. */
const CHIPS_PX = 72;
const HINT_PX = 18;

/** A model's labels by category; at most `most`. */
export function LabelPicker({
  chosen,
  most,
  onChange,
}: {
  chosen: readonly string[];
  most: number;
  onChange: (ids: readonly string[]) => void;
}) {
  const categories = useGetLabelCateListByCateTypeQuery({ cateType: CATE_TYPE });
  const [picked, setPicked] = useState<string>();
  const category = picked ?? categories.data?.[0]?.id ?? "";
  const labels = useGetLabelObjectListByParentIdQuery({ parentId: category }, { skip: category === "" });
  const toggle = (id: string) => {
    if (chosen.includes(id)) onChange(chosen.filter((one) => one !== id));
    else if (chosen.length < most) onChange([...chosen, id]);
    else toast.warning(`最多选择 ${most} 个标签`);
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
          >{`可选，最多 ${most} 个，已选 ${chosen.length} 个`}</Box>
        </>
      )}
    </Box>
  );
}

/** Labels are optional: without a catalogue the name can be saved, and existing labels are kept. */
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
