/**
 * Reducer for the messages of a check. Messages may arrive by push and by polling, in any order and more than once; each is shown
 * once, in the order of its number.
 */
export interface CheckMessage {
  /** number of the message within its check, from 1; a polled state may lack it */
  seq?: number;
  status: "Begin" | "Normal" | "Success" | "Error";
  tips: string;
  /** milliseconds since 1970, or a formatted time */
  currentTime: number | string;
  /** bytes */
  fileSize?: number;
  format?: string;
  animation?: boolean | number | string;
  modelNum?: number;
}

export type CheckPhase = "waiting" | "checking" | "complete" | "error";

export interface CheckLine {
  seq: number;
  status: CheckMessage["status"];
  text: string;
  time: number | string;
}

export interface CheckLog {
  phase: CheckPhase;
  lines: CheckLine[];
  seen: Record<string, true>;
  facts: { fileSize?: number; format?: string; animated?: boolean; modelNum?: number };
  /** final message of a finished check */
  verdict?: string;
}

export const emptyLog: CheckLog = { phase: "waiting", lines: [], seen: {}, facts: {} };

const IGNORED_TIP = "checking";

export function applyMessage(log: CheckLog, message: CheckMessage): CheckLog {
  const mark =
    message.seq === undefined || message.seq <= 0
      ? `${message.status}|${message.currentTime}|${message.tips}`
      : `#${message.seq}`;
  if (log.seen[mark]) return log;
  const seen: CheckLog["seen"] = { ...log.seen, [mark]: true };
  const facts = gather(log.facts, message);
  const ended = log.phase === "complete" || log.phase === "error";
  const tips = message.tips.trim();

  let { phase, verdict } = log;
  if (!ended) {
    if (message.status === "Success") phase = "complete";
    else if (message.status === "Error") phase = "error";
    else phase = "checking";
    if (phase === "complete" || phase === "error") verdict = tips;
  }
  // a final message is the verdict below the log, not a line of it
  const silent =
    tips === "" || tips === IGNORED_TIP || message.status === "Success" || message.status === "Error";
  const lines = silent ? log.lines : insert(log.lines, message, tips);
  return { phase, lines, seen, facts, verdict };
}

export function applyMessages(log: CheckLog, messages: readonly CheckMessage[]): CheckLog {
  return messages.reduce(applyMessage, log);
}

function insert(lines: CheckLine[], message: CheckMessage, text: string): CheckLine[] {
  const last = lines[lines.length - 1];
  const seq = message.seq && message.seq > 0 ? message.seq : (last?.seq ?? 0) + 0.001;
  const line: CheckLine = { seq, status: message.status, text, time: message.currentTime };
  if (!last || last.seq <= seq) return [...lines, line];
  const at = lines.findIndex((l) => l.seq > seq);
  return [...lines.slice(0, at), line, ...lines.slice(at)];
}

function gather(facts: CheckLog["facts"], message: CheckMessage): CheckLog["facts"] {
  const next = { ...facts };
  if (typeof message.fileSize === "number" && message.fileSize > 0) next.fileSize = message.fileSize;
  if (message.format) next.format = message.format;
  if (typeof message.modelNum === "number" && message.modelNum > 0) next.modelNum = message.modelNum;
  if (message.animation !== undefined) {
    next.animated =
      message.animation === true || Number(message.animation) > 0 || message.animation === "true";
  }
  return next;
}

/** 100 MB or more, or a scene: the recommendation links to the lightweight service. */
export function recommendsLightweight(fileSize: number, modelType: "object" | "scene"): boolean {
  return modelType === "scene" || fileSize >= 100 * 1_048_576;
}

/** The text with a full stop, so that another sentence may follow. */
export function sentence(text: string): string {
  return /[。！？]$/.test(text) ? text : `${text}。`;
}

export type TipPart = { text: string; link?: "appeal" | "formats" | "service" };

const LINK_WORDS: readonly [string, NonNullable<TipPart["link"]>][] = [
  ["申诉", "appeal"],
  ["支持的格式", "formats"],
  ["联系客服", "service"],
];

/** Splits an error message at the words that become links. The text is never treated as markup. */
export function splitTip(tip: string): TipPart[] {
  const parts: TipPart[] = [];
  let rest = tip;
  while (rest) {
    let first: { at: number; word: string; link: NonNullable<TipPart["link"]> } | undefined;
    for (const [word, link] of LINK_WORDS) {
      const at = rest.indexOf(word);
      if (at >= 0 && (!first || at < first.at)) first = { at, word, link };
    }
    if (!first) {
      parts.push({ text: rest });
      break;
    }
    if (first.at > 0) parts.push({ text: rest.slice(0, first.at) });
    parts.push({ text: first.word, link: first.link });
    rest = rest.slice(first.at + first.word.length);
  }
  return parts;
}
