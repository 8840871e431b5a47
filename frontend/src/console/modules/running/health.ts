import type { StatusTone } from "@/ui/StatusTag";
import type {
  AuthRunningInstance,
  AuthRunningOverviewReply,
  AuthRunningQueue,
  AuthRunningService,
} from "../../api/generated/auth";
import { ago, count, span } from "../../kit/format";
import { partProblem, shortName } from "./words";

/** Events that wait longer than this to be published are a fault, in milliseconds. */
export const LATE_MS = 60_000;

/** A process with all services that it serves: in a standalone installation one process serves them all. */
export interface Process extends AuthRunningInstance {
  services: string[];
}

/** Something that needs an operator. */
export interface Fault {
  /** What it is about. */
  what: string;
  /** What is wrong with it; follows `what` in a sentence. */
  wrong: string;
  tone: StatusTone;
  /** Causes, names of processes, the last error. */
  detail?: string;
  to?: string;
}

/** The processes, each once; those that need attention first. */
export function processesOf(services: readonly AuthRunningService[]): Process[] {
  const byName = new Map<string, Process>();
  for (const { name, instances } of services) {
    for (const instance of instances) {
      const other = byName.get(instance.name);
      byName.set(instance.name, {
        ...instance,
        services: [...(other?.services ?? []), name],
        ready: instance.ready && other?.ready !== false,
        problems: [...new Set([...(other?.problems ?? []), ...instance.problems])],
        reportedAt: Math.max(instance.reportedAt, other?.reportedAt ?? 0),
      });
    }
  }
  return [...byName.values()].sort(
    (a, b) => Number(isSound(a)) - Number(isSound(b)) || a.name.localeCompare(b.name),
  );
}

const isSound = ({ ready, problems }: AuthRunningInstance): boolean => ready && problems.length === 0;

/** Why a process is not ready, as far as it has told. */
export const causeOf = ({ problems, reportedAt }: AuthRunningInstance): string =>
  problems.join("；") || `最近一次报告在 ${ago(reportedAt)}`;

function causeOfService({ instances }: AuthRunningService): string {
  if (instances.length === 0) return "没有收到任何进程的报告";
  return [...new Set(instances.map(causeOf))].join("；");
}

/** The services that are not ready; those with the same cause together. */
function servicesDown(services: readonly AuthRunningService[]): Fault[] {
  const byCause = new Map<string, string[]>();
  for (const service of services.filter(({ ready }) => !ready)) {
    const cause = causeOfService(service);
    byCause.set(cause, [...(byCause.get(cause) ?? []), shortName(service.name)]);
  }
  return [...byCause].map(([cause, names]) => ({
    what: names.length > 1 ? `${names.length} 项服务` : (names[0] ?? ""),
    wrong: "未就绪",
    tone: "danger",
    detail: names.length > 1 ? `${names.join("、")}：${cause}` : cause,
  }));
}

/** The processes with problems of services that others still serve, or that are served in spite of them. */
function processesAmiss(services: readonly AuthRunningService[]): Fault[] {
  const up = new Set(services.filter(({ ready }) => ready).map(({ name }) => name));
  return processesOf(services)
    .filter((process) => !isSound(process) && process.services.some((name) => up.has(name)))
    .map((process) => ({
      what: `进程 ${process.name}`,
      wrong: process.ready ? "有异常" : "未就绪",
      tone: "warning",
      detail: `${causeOf(process)}（${servedBy(process, services.length)}）`,
    }));
}

/** The services of a process in words: `全部服务`, or their names. */
export const servedBy = ({ services }: Process, all: number): string =>
  services.length > 1 && services.length === all ? "全部服务" : services.map(shortName).join("、");

/** The consumers of which nobody knows how much waits. */
function queuesUnknown(queues: readonly AuthRunningQueue[]): Fault[] {
  const names = queues.filter(isUnknown).map(({ name }) => shortName(name));
  if (names.length === 0) return [];
  const what = names.length > 1 ? `${names.length} 个消费方` : (names[0] ?? "");
  return [{ what, wrong: "的积压无法统计", tone: "warning", detail: names.join("、") }];
}

/** What hinders the work now: services, processes, parts, events that are tried again. */
export function hindrances({ services, parts, queues }: AuthRunningOverviewReply): Fault[] {
  return [
    ...servicesDown(services),
    ...parts
      .filter(({ ready }) => !ready)
      .map(
        ({ name, failing }): Fault => ({
          what: shortName(name),
          wrong: partProblem(name),
          tone: "danger",
          detail: failing.length > 0 ? `${failing.length} 个进程：${failing.join("、")}` : "没有进程报告",
        }),
      ),
    ...processesAmiss(services),
    ...queuesUnknown(queues),
    ...queues
      .filter(({ retrying }) => retrying.length > 0)
      .map(
        ({ name, retrying }): Fault => ({
          what: shortName(name),
          wrong: `正在重试 ${count(retrying.length)} 个事件`,
          tone: "warning",
          detail: [...retrying].sort((a, b) => b.at - a.at)[0]?.error,
        }),
      ),
  ];
}

/** All faults, the worst first. */
export function faultsOf(overview: AuthRunningOverviewReply): Fault[] {
  const { services, queues } = overview;
  return [
    ...hindrances(overview),
    ...services
      .filter(({ unsent, unsentMs }) => unsent > 0 && unsentMs > LATE_MS)
      .map(
        ({ name, unsent, unsentMs }): Fault => ({
          what: shortName(name),
          wrong: `有 ${count(unsent)} 个事件没有发出`,
          tone: "warning",
          detail: `最早的已等待 ${span(unsentMs / 1000)}`,
        }),
      ),
    ...queues
      .filter(({ dead }) => dead > 0)
      .map(
        ({ name, dead }): Fault => ({
          what: shortName(name),
          wrong: `有 ${count(dead)} 条死信`,
          tone: "warning",
          detail: "已放弃处理，需要重新投递或丢弃",
          to: lettersOf(name),
        }),
      ),
  ];
}

export const lettersOf = (queue: string): string => `/running/deadLetters?queue=${encodeURIComponent(queue)}`;

/** What is kept for a consumer cannot be counted now: the place where it is kept does not answer. */
export const isUnknown = ({ dead }: AuthRunningQueue): boolean => dead < 0;

export const deadIn = (queues: readonly AuthRunningQueue[]): number =>
  queues.reduce((sum, { dead }) => sum + Math.max(0, dead), 0);

export const retriedIn = (queues: readonly AuthRunningQueue[]): number =>
  queues.reduce((sum, { retrying }) => sum + retrying.length, 0);

/** How long the oldest event that is not published has waited, in milliseconds. */
export const oldestUnsent = (services: readonly AuthRunningService[]): number =>
  Math.max(0, ...services.map(({ unsent, unsentMs }) => (unsent > 0 ? unsentMs : 0)));
