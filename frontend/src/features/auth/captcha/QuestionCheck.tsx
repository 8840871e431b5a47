import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type { AuthSliderChallengeReply } from "@/calls/auth";
import { captchaMessages } from "@/messages/auth";
import { questionSolution } from "./track";

interface Props {
  challenge: AuthSliderChallengeReply;
  locked: boolean;
  passed: boolean;
  onSubmit: (solution: string) => void;
}

/** A question in words, for users who cannot see or drag the picture. */
export function QuestionCheck({ challenge, locked, passed, onSubmit }: Props) {
  const [answer, setAnswer] = useState("");
  const question = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The submit event must not reach the form below.
    event.stopPropagation();
    if (!locked && answer.trim()) onSubmit(questionSolution(challenge.id, answer.trim()));
  };
  return (
    <div>
      <Typography id={question} sx={{ fontSize: 18, lineHeight: "28px", mb: 1.5 }}>
        {challenge.question}
      </Typography>
      <TextField
        fullWidth
        inputRef={field}
        value={answer}
        onChange={(event) => setAnswer(event.target.value.slice(0, 12))}
        onKeyDown={(event) => {
          if (event.key === "Enter") submit(event);
        }}
        disabled={locked}
        placeholder={captchaMessages.answerHint}
        slotProps={{ htmlInput: { "aria-labelledby": question, inputMode: "numeric", autoComplete: "off" } }}
      />
      <Button
        type="button"
        variant="contained"
        fullWidth
        disabled={locked || !answer.trim()}
        onClick={submit}
        sx={{ mt: 1.5 }}
      >
        {passed ? captchaMessages.passed : captchaMessages.submit}
      </Button>
    </div>
  );
}
