import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { skipToken } from "@reduxjs/toolkit/query";
import { useState } from "react";
import { UserText } from "@/ui/UserText";
import { type PersonalWordTestReply, useWordTestQuery } from "../../api/generated/personal";
import { wordOf } from "../../kit/choices";
import { Card } from "../../kit/page";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { TextInput } from "../../kit/TextInput";
import { ACTIONS, MOST_TESTED, pieces, VERDICTS } from "./words";

/** Matches of the current lists in a text; repeated when a word changes. */
export function TestBox() {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const query = useWordTestQuery(asked ? { text: asked } : skipToken);
  return (
    <Card title="测试文本">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(text);
        }}
      >
        <TextInput
          label="粘贴一段文本，查看现有词库会如何处理"
          rows={3}
          max={MOST_TESTED}
          value={text}
          onChange={setText}
        />
        <Button
          type="submit"
          size="small"
          variant="outlined"
          disabled={!text.trim()}
          loading={query.isFetching}
        >
          测试
        </Button>
      </form>
      {asked && (
        <Box aria-live="polite" sx={{ mt: 2 }}>
          <Loaded query={query} what="测试结果">
            {(found) => <Result asked={asked} found={found} />}
          </Loaded>
        </Box>
      )}
    </Card>
  );
}

function Result({ asked, found }: { asked: string; found: PersonalWordTestReply }) {
  return (
    <Box sx={{ display: "grid", gap: 1, justifyItems: "start", fontSize: 13 }}>
      <State words={VERDICTS} value={found.verdict} />
      <Box sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {pieces(asked, found.hits).map(({ at, text, hit }) =>
          hit ? (
            <Box
              key={at}
              component="mark"
              title={`${hit.word}：${wordOf(ACTIONS, hit.action).text}`}
              sx={{ px: 0.25, borderRadius: "2px", color: "text.primary" }}
            >
              {text}
            </Box>
          ) : (
            text
          ),
        )}
      </Box>
      {found.hits.length > 0 && (
        <Box sx={{ color: "text.secondary" }}>
          {`命中：${[...new Set(found.hits.map(({ word, action }) => `${word}（${wordOf(ACTIONS, action).text}）`))].join("、")}`}
        </Box>
      )}
      {found.text && found.text !== asked && <UserText>{`发布后：${found.text}`}</UserText>}
    </Box>
  );
}
