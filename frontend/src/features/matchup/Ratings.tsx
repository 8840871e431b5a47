import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MuiRating from "@mui/material/Rating";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { type MatchupDemand, type MatchupRating, useRateDemandMutation } from "@/calls/matchup";
import { dayOf } from "@/ui/numbers";
import { Panel } from "@/ui/Panel";
import { toast } from "@/ui/toast";

const LONGEST = 300;

/** The mutual ratings of a closed demand. */
export function Ratings({ demand }: { demand: MatchupDemand }) {
  return (
    <Panel title="互评">
      <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 2 }}>
        {demand.received && <Said title="对方的评价" rating={demand.received} />}
        {demand.given ? (
          <Said title="我的评价" rating={demand.given} />
        ) : (
          <RatingForm demandId={demand.demandId} />
        )}
      </Box>
    </Panel>
  );
}

export function Said({ title, rating }: { title: string; rating: MatchupRating }) {
  return (
    <Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center" }}>
        <Box component="span" sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
          {title}
        </Box>
        <MuiRating readOnly size="small" value={rating.stars} aria-label={`${rating.stars} 星`} />
        <Box component="span" className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
          {dayOf(rating.at)}
        </Box>
      </Box>
      {rating.content && (
        <Box sx={{ mt: 0.5, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{rating.content}</Box>
      )}
    </Box>
  );
}

function RatingForm({ demandId }: { demandId: string }) {
  const [stars, setStars] = useState<number | null>(null);
  const [content, setContent] = useState("");
  const [rate, { isLoading }] = useRateDemandMutation();
  const send = async () => {
    if (!stars) {
      toast.error("请选择 1 至 5 星");
      return;
    }
    const answer = await rate({ demandId, stars, content: content.trim() });
    if (!answer.error) toast.success("评价已保存");
  };
  return (
    <Box
      component="form"
      aria-label="评价对方"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      sx={{ display: "grid", gap: 1.5, justifyItems: "start" }}
    >
      <MuiRating
        name="stars"
        value={stars}
        getLabelText={(value) => `${value} 星`}
        onChange={(_event, value) => setStars(value)}
      />
      <TextField
        label="说明（可不填）"
        fullWidth
        multiline
        minRows={2}
        value={content}
        onChange={(event) => setContent(event.target.value)}
        slotProps={{ htmlInput: { maxLength: LONGEST } }}
      />
      <Button type="submit" variant="contained" loading={isLoading}>
        评价
      </Button>
    </Box>
  );
}
