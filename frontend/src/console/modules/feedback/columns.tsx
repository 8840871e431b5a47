import type { PersonalFeedbackItem } from "../../api/generated/personal";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import type { ListColumn } from "../../kit/list";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { pathOf, STATES, TYPES, userPath } from "./words";

const annexOf = ({ pictures, hasArchive }: PersonalFeedbackItem) =>
  [pictures > 0 && `${pictures} 张图片`, hasArchive && "压缩包"].filter(Boolean).join("、");

const summary: ListColumn<PersonalFeedbackItem> = {
  key: "summary",
  title: "内容",
  render: (one) => <RowLink to={pathOf(one.id)}>{one.summary}</RowLink>,
  csv: (one) => one.summary,
};
const type: ListColumn<PersonalFeedbackItem> = {
  key: "type",
  title: "类型",
  width: 72,
  render: (one) => wordOf(TYPES, String(one.type)).text,
  csv: (one) => wordOf(TYPES, String(one.type)).text,
};
const state: ListColumn<PersonalFeedbackItem> = {
  key: "state",
  title: "状态",
  width: 112,
  render: (one) => <State words={STATES} value={one.state} />,
  csv: (one) => wordOf(STATES, one.state).text,
};
const sent: ListColumn<PersonalFeedbackItem> = {
  key: "sent",
  title: "提交时间",
  numeric: true,
  secondary: true,
  width: 144,
  render: (one) => minute(one.createdAt),
  csv: (one) => minute(one.createdAt),
};

/** Columns on the page of the author. */
export const OF_ONE: readonly ListColumn<PersonalFeedbackItem>[] = [summary, type, state, sent];

export const OF_ALL: readonly ListColumn<PersonalFeedbackItem>[] = [
  summary,
  type,
  {
    key: "user",
    title: "用户",
    // on a phone the state comes first: the user stands on the entry's page
    secondary: true,
    width: 144,
    render: (one) => <RowLink to={userPath(one.loginId)}>{one.nickname || one.loginId}</RowLink>,
    csv: (one) => one.nickname || one.loginId,
  },
  state,
  {
    key: "annex",
    title: "附件",
    secondary: true,
    width: 144,
    render: (one) => shown(annexOf(one)),
    csv: annexOf,
  },
  sent,
];
