import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { useEffect, useState } from "react";
import FavoriteIcon from "@/ui/icons/Favorite";
import FavoriteBorderIcon from "@/ui/icons/FavoriteBorder";
import { useMarks } from "./useMarks";

interface HeartProps {
  modelId: string;
  name: string;
  /** Number of users who have it as a favourite, as loaded with the page. */
  count: number;
  /** Icon over a picture; else a button with text. */
  small?: boolean;
}

/** Adds a model to the favourites, or removes it. */
export function Heart({ modelId, name, count, small = false }: HeartProps) {
  const { marked, turn, busy } = useMarks(modelId);
  const [change, setChange] = useState(0);
  // A newer response includes the change made here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets when the count or the model changes
  useEffect(() => setChange(0), [count, modelId]);
  const press = async () => {
    const by = await turn();
    setChange((old) => old + by);
  };
  const shown = Math.max(0, count + change);
  const Icon = marked ? FavoriteIcon : FavoriteBorderIcon;
  if (small)
    return (
      <IconButton
        size="small"
        aria-pressed={marked}
        aria-label={`收藏 ${name}`}
        disabled={busy}
        onClick={() => void press()}
        sx={{
          position: "absolute",
          top: 8,
          right: 8,
          width: 32,
          height: 32,
          color: marked ? "error.main" : "text.primary",
          bgcolor: "rgba(255,255,255,.92)",
          "&:hover, &.Mui-disabled": { bgcolor: "#fff" },
        }}
      >
        <Icon sx={{ fontSize: 18 }} />
      </IconButton>
    );
  return (
    <Button
      variant="outlined"
      color="inherit"
      size="small"
      aria-pressed={marked}
      loading={busy}
      startIcon={<Icon sx={{ color: marked ? "error.main" : undefined }} />}
      onClick={() => void press()}
      sx={{ fontVariantNumeric: "tabular-nums" }}
    >
      {`${marked ? "已收藏" : "收藏"}${shown > 0 ? ` ${shown.toLocaleString("zh-CN")}` : ""}`}
    </Button>
  );
}
