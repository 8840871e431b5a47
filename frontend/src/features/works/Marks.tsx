import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import type { WorksWorkCard } from "@/calls/works";
import FavoriteIcon from "@/ui/icons/Favorite";
import FavoriteBorderIcon from "@/ui/icons/FavoriteBorder";
import StarIcon from "@/ui/icons/Star";
import StarBorderIcon from "@/ui/icons/StarBorder";
import { shortCount } from "@/ui/numbers";
import { useMark } from "./useMark";

/** Like and collect. `small`: over a card's picture. */
export function Marks({ card, small = false }: { card: WorksWorkCard; small?: boolean }) {
  const { liked, collected, busy, turnLike, turnCollect } = useMark(card);
  const marks = [
    {
      what: "点赞",
      done: "已赞",
      on: liked,
      count: card.likeNumber,
      turn: turnLike,
      Icon: liked ? FavoriteIcon : FavoriteBorderIcon,
      colour: "error.main",
    },
    {
      what: "收藏",
      done: "已收藏",
      on: collected,
      count: card.collectNumber,
      turn: turnCollect,
      Icon: collected ? StarIcon : StarBorderIcon,
      colour: "warning.main",
    },
  ];
  if (small)
    return (
      <Box sx={{ position: "absolute", top: 8, right: 8, display: "flex", gap: 0.5 }}>
        {marks.map(({ what, on, turn, Icon, colour }) => (
          <IconButton
            key={what}
            size="small"
            aria-pressed={on}
            aria-label={`${what} ${card.name}`}
            disabled={busy}
            onClick={turn}
            sx={{
              width: 32,
              height: 32,
              color: on ? colour : "text.primary",
              bgcolor: "rgba(255,255,255,.92)",
              "&:hover, &.Mui-disabled": { bgcolor: "#fff" },
            }}
          >
            <Icon sx={{ fontSize: 18 }} />
          </IconButton>
        ))}
      </Box>
    );
  return marks.map(({ what, done, on, count, turn, Icon, colour }) => (
    <Button
      key={what}
      variant="outlined"
      color="inherit"
      aria-pressed={on}
      disabled={busy}
      startIcon={<Icon sx={{ color: on ? colour : undefined }} />}
      onClick={turn}
      sx={{ fontVariantNumeric: "tabular-nums" }}
    >
      {`${on ? done : what}${count > 0 ? ` ${shortCount(count)}` : ""}`}
    </Button>
  ));
}
