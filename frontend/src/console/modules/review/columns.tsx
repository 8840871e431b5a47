import type { PersonalReviewItem } from "../../api/generated/personal";
import { wordOf } from "../../kit/choices";
import { ago, minute, shown } from "../../kit/format";
import type { ListColumn } from "../../kit/list";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { isClaimed, KINDS, pathOf, STATES, userPath, whatOf } from "./words";

const what: ListColumn<PersonalReviewItem> = {
  key: "what",
  title: "内容",
  width: 96,
  render: (one) => <RowLink to={pathOf(one.id)}>{whatOf(one)}</RowLink>,
  csv: (one) => wordOf(KINDS, one.kind).text,
};
const cause: ListColumn<PersonalReviewItem> = {
  key: "cause",
  title: "原因",
  secondary: true,
  render: (one) => shown(one.cause),
  csv: (one) => one.cause,
};
const state: ListColumn<PersonalReviewItem> = {
  key: "state",
  title: "状态",
  width: 112,
  render: (one) => <State words={STATES} value={one.state} />,
  csv: (one) => wordOf(STATES, one.state).text,
};
const came: ListColumn<PersonalReviewItem> = {
  key: "came",
  title: "提交",
  numeric: true,
  width: 112,
  render: (one) => <span title={minute(one.createdAt)}>{ago(one.createdAt)}</span>,
  csv: (one) => minute(one.createdAt),
};
/** The operator who has claimed or decided it. */
const who: ListColumn<PersonalReviewItem> = {
  key: "who",
  title: "处理",
  secondary: true,
  render: (one) =>
    one.state === "waiting"
      ? isClaimed(one, Date.now())
        ? `${one.claimedBy} 审核中`
        : "—"
      : [one.decidedBy, one.decision].filter(Boolean).join("："),
  csv: (one) => one.decidedBy,
};

/** Columns for one user's cases. */
export const OF_ONE: readonly ListColumn<PersonalReviewItem>[] = [what, cause, state, who, came];

export const OF_ALL: readonly ListColumn<PersonalReviewItem>[] = [
  what,
  {
    key: "user",
    title: "用户",
    render: (one) => <RowLink to={userPath(one.loginId)}>{one.nickname || one.loginId}</RowLink>,
    csv: (one) => one.nickname || one.loginId,
  },
  cause,
  state,
  who,
  came,
];
