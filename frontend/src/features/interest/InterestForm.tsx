import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useSetInterestAndRegisterPurposeMutation } from "@/calls/auth";
import { codesOf, INTERESTS, PURPOSES } from "./options";

interface Props {
  interest?: string | null;
  purpose?: string | null;
  /** After a registration the form is optional. */
  skippable?: boolean;
  /** `saved`: whether the answer was saved. */
  onDone: (saved: boolean) => void;
}

/** The user's interests (any number) and purpose (one). */
export function InterestForm({ interest, purpose, skippable = false, onDone }: Props) {
  const [chosen, setChosen] = useState<readonly string[]>(() => codesOf(interest));
  const [why, setWhy] = useState(purpose ?? "");
  const [save, { isLoading }] = useSetInterestAndRegisterPurposeMutation();
  const interestId = useId();
  const purposeId = useId();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // In list order, whatever the order of the clicks.
    const codes = INTERESTS.map(({ code }) => code).filter((code) => chosen.includes(code));
    const answer = await save({ interest: codes.join(","), registerPurpose: why });
    if (!answer.error) onDone(true);
  };
  const toggle = (code: string) =>
    setChosen((before) => (before.includes(code) ? before.filter((one) => one !== code) : [...before, code]));

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Choices id={interestId} label="感兴趣的方向（可多选）">
        {INTERESTS.map(({ code, label }) => (
          <Choice key={code} role="checkbox" on={chosen.includes(code)} onClick={() => toggle(code)}>
            {label}
          </Choice>
        ))}
      </Choices>
      <Choices id={purposeId} label="注册目的">
        {PURPOSES.map(({ code, label }) => (
          // A second press clears the answer, which a radio button could not.
          <Choice
            key={code}
            role="checkbox"
            on={why === code}
            onClick={() => setWhy(why === code ? "" : code)}
          >
            {label}
          </Choice>
        ))}
      </Choices>
      <Box sx={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 1.5, mt: 1 }}>
        <Button
          type="button"
          variant="outlined"
          size="large"
          disabled={isLoading}
          onClick={() => onDone(false)}
        >
          {skippable ? "跳过" : "取消"}
        </Button>
        <Button
          type="submit"
          variant="contained"
          size="large"
          loading={isLoading}
          disabled={skippable && chosen.length === 0 && !why}
        >
          {skippable ? "下一步" : "保存"}
        </Button>
      </Box>
    </form>
  );
}

function Choices({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <Box sx={{ mb: 2.5 }}>
      <Box id={id} sx={{ mb: 1, fontSize: 13, lineHeight: "20px", color: "text.secondary" }}>
        {label}
      </Box>
      <Box role="group" aria-labelledby={id} sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        {children}
      </Box>
    </Box>
  );
}

function Choice({
  on,
  role,
  onClick,
  children,
}: {
  on: boolean;
  role: "checkbox";
  onClick: () => void;
  children: string;
}) {
  return (
    <ButtonBase
      role={role}
      aria-checked={on}
      onClick={onClick}
      sx={(theme) => ({
        px: 1.75,
        height: 36,
        borderRadius: 18,
        border: 1,
        fontSize: 14,
        borderColor: on ? "primary.main" : "divider",
        bgcolor: on ? theme.tokens.primarySoft : "background.paper",
        color: on ? theme.tokens.primaryHover : "text.primary",
        transition: "background-color 120ms ease-out, border-color 120ms ease-out",
        "&:hover": { borderColor: "primary.main" },
      })}
    >
      {children}
    </ButtonBase>
  );
}
