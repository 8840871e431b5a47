import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import MenuItem from "@mui/material/MenuItem";
import Select from "@mui/material/Select";
import Slider from "@mui/material/Slider";
import Pause from "@/ui/icons/Pause";
import PlayArrow from "@/ui/icons/PlayArrow";
import type { Viewer } from "../engine/Viewer";
import { useStore } from "./useViewer";

const speeds = [0.25, 0.5, 1, 1.5, 2] as const;

/** Only shown if the model has a clip. */
export function Timeline({ viewer }: { viewer: Viewer }) {
  const { clips, index, playing, time, speed } = useStore(viewer.animation.state);
  const clip = clips[index];
  if (!clip) return null;
  return (
    <Box
      role="group"
      aria-label="动画"
      sx={{
        position: "absolute",
        zIndex: 2,
        left: "50%",
        bottom: 12,
        transform: "translateX(-50%)",
        width: "min(640px, calc(100% - 160px))",
        display: "flex",
        alignItems: "center",
        gap: 1.5,
        px: 1,
        py: 0.5,
        borderRadius: 2,
        bgcolor: "rgba(19,26,46,.9)",
        border: 1,
        borderColor: "divider",
        "@container stage (max-width: 620px)": {
          left: 8,
          right: 8,
          bottom: 66,
          width: "auto",
          transform: "none",
          gap: 1,
        },
      }}
    >
      <IconButton
        size="small"
        aria-label={playing ? "暂停" : "播放"}
        onClick={() => viewer.animation.toggle()}
      >
        {playing ? <Pause /> : <PlayArrow />}
      </IconButton>
      {clips.length > 1 && (
        <Select
          size="small"
          variant="standard"
          disableUnderline
          value={index}
          inputProps={{ "aria-label": "选择动画" }}
          onChange={(event) => viewer.animation.choose(Number(event.target.value))}
          sx={{ fontSize: 13, maxWidth: 120 }}
        >
          {clips.map((one, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: clips have no other identity, their names may repeat
            <MenuItem key={i} value={i}>
              {one.name}
            </MenuItem>
          ))}
        </Select>
      )}
      <Slider
        aria-label="播放位置"
        size="small"
        min={0}
        max={clip.seconds}
        step={clip.seconds / 500}
        value={Math.min(time, clip.seconds)}
        getAriaValueText={(v) => `${v.toFixed(1)} 秒`}
        onChange={(_, value) => viewer.animation.seek(value as number)}
        sx={{ flex: 1, minWidth: 60 }}
      />
      <Box
        sx={{
          fontSize: 12,
          color: "text.secondary",
          fontVariantNumeric: "tabular-nums",
          whiteSpace: "nowrap",
        }}
      >
        {`${time.toFixed(1)} / ${clip.seconds.toFixed(1)} 秒`}
      </Box>
      <Select
        size="small"
        variant="standard"
        disableUnderline
        value={speed}
        inputProps={{ "aria-label": "播放速度" }}
        onChange={(event) => viewer.animation.setSpeed(Number(event.target.value))}
        sx={{ fontSize: 12 }}
      >
        {speeds.map((one) => (
          <MenuItem key={one} value={one}>{`${one}×`}</MenuItem>
        ))}
      </Select>
    </Box>
  );
}
