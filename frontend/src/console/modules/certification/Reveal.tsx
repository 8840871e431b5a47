import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Dialog from "@mui/material/Dialog";
import { type ReactNode, useEffect, useState } from "react";
import { messageOf } from "../../api/envelope";
import { Facts } from "../../kit/page";
import { SECRET_MS } from "../../kit/secret";
import { reveal } from "./calls";
import { PICTURES, stated } from "./words";

/** Requests a secret, and clears it after a minute. */
function useRevealed<T>(ask: () => Promise<T>) {
  const [value, setValue] = useState<T>();
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (value === undefined) return undefined;
    const timer = window.setTimeout(() => setValue(undefined), SECRET_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  const show = async () => {
    setBusy(true);
    setProblem("");
    try {
      setValue(await ask());
    } catch (error) {
      setProblem(messageOf(error) || "没有读取成功");
    } finally {
      setBusy(false);
    }
  };
  return { value, problem, busy, show, hide: () => setValue(undefined) };
}

function Toggle({
  revealed,
  label,
}: {
  revealed: Pick<ReturnType<typeof useRevealed>, "value" | "busy" | "show" | "hide">;
  label: string;
}) {
  const hidden = revealed.value === undefined;
  return (
    <Button
      size="small"
      variant={hidden ? "outlined" : "text"}
      loading={revealed.busy}
      onClick={hidden ? revealed.show : revealed.hide}
    >
      {`${hidden ? "查看" : "收起"}${label}`}
    </Button>
  );
}

function Problem({ children }: { children: string }) {
  if (!children) return null;
  return (
    <Box role="alert" sx={{ mt: 1, fontSize: 13, color: "error.main" }}>
      {children}
    </Box>
  );
}

/** The statements: masked, then in clear for a minute. */
export function Statement({ id, masked, may }: { id: string; masked: ReactNode; may: boolean }) {
  const revealed = useRevealed(async () => (await reveal(id, "details")).fields.map(stated));
  return (
    <Box aria-live="polite">
      {revealed.value ? <Facts facts={revealed.value} /> : masked}
      {may && (
        <Box sx={{ mt: 1.5 }}>
          <Toggle revealed={revealed} label="完整信息" />
        </Box>
      )}
      <Problem>{revealed.problem}</Problem>
    </Box>
  );
}

/** One picture of a request; the server watermarks it with the operator's name. */
export function Photograph({ id, part }: { id: string; part: string }) {
  const label = PICTURES[part] ?? part;
  const revealed = useRevealed(async () => `data:image/jpeg;base64,${(await reveal(id, part)).picture}`);
  const [large, setLarge] = useState(false);
  return (
    <Box component="figure" sx={{ m: 0, minWidth: 0 }}>
      <Box
        sx={{
          height: 240,
          border: 1,
          borderStyle: revealed.value ? "solid" : "dashed",
          borderColor: "divider",
          borderRadius: 1,
          backgroundColor: "background.default",
          display: "grid",
          placeItems: "center",
          overflow: "hidden",
        }}
      >
        {revealed.value ? (
          <ButtonBase
            onClick={() => setLarge(true)}
            aria-label={`放大${label}`}
            sx={{ width: "100%", height: "100%" }}
          >
            <Box
              component="img"
              src={revealed.value}
              alt={label}
              sx={{ width: "100%", height: "100%", objectFit: "contain" }}
            />
          </ButtonBase>
        ) : (
          <Toggle revealed={revealed} label={label} />
        )}
      </Box>
      <Box
        component="figcaption"
        sx={{
          mt: 0.5,
          minHeight: 32,
          fontSize: 13,
          color: "text.secondary",
          display: "flex",
          justifyContent: "space-between",
          alignItems: "center",
        }}
      >
        {label}
        {revealed.value && <Toggle revealed={revealed} label={label} />}
      </Box>
      <Problem>{revealed.problem}</Problem>
      <Dialog
        open={large && revealed.value !== undefined}
        onClose={() => setLarge(false)}
        maxWidth="lg"
        fullWidth
        aria-label={label}
      >
        <Box component="img" src={revealed.value} alt={label} sx={{ display: "block", width: "100%" }} />
        <Box sx={{ p: 1, textAlign: "right" }}>
          <Button onClick={() => setLarge(false)}>关闭</Button>
        </Box>
      </Dialog>
    </Box>
  );
}
