import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";
import { TextInput } from "../../kit/TextInput";
import { PICTURE_HINT, useUpload } from "./picture";

/** The address of a picture; a selected file is uploaded at once, and its address is filled in. */
export function PictureInput({
  label,
  value,
  max,
  problem,
  onChange,
}: {
  label: string;
  value: string;
  max: number;
  problem?: string;
  onChange: (value: string) => void;
}) {
  const chosen = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");

  const upload = useUpload();
  async function send(file: File) {
    setBusy(true);
    setFailed("");
    const sent = await upload(file);
    setBusy(false);
    if ("img" in sent) onChange(sent.img);
    else setFailed(sent.problem);
  }

  return (
    <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", columnGap: 1 }}>
      <TextInput
        label={label}
        value={value}
        max={max}
        inputMode="url"
        hint={PICTURE_HINT}
        problem={failed || problem}
        onChange={(text) => {
          setFailed("");
          onChange(text);
        }}
      />
      <Button
        variant="outlined"
        loading={busy}
        sx={{ mt: 3.5, height: 40 }}
        onClick={() => chosen.current?.click()}
      >
        选择图片
      </Button>
      <input
        ref={chosen}
        type="file"
        hidden
        aria-label="选择图片文件"
        accept="image/jpeg,image/png,image/bmp,image/gif,image/webp"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // the same file may be selected again
          target.value = "";
          if (file) void send(file);
        }}
      />
    </Box>
  );
}
