import { z } from "zod";
import { withoutEval } from "@/lib/zod";

withoutEval();

/** A line of a model's check-up. */
export interface CheckMessage {
  type: "CHECK";
  /** Id of the source file. */
  id: string;
  seq: number;
  status: "Begin" | "Normal" | "Success" | "Error";
  tips: string;
  currentTime: string;
  fileSize: number;
  format: string;
  animation: boolean | number | string;
  modelNum: number;
}

/** Progress of a service (lightweighting, conversion …). */
export interface ServiceMessage {
  type: "SERVICE";
  /** Id of the service result. */
  id: string;
  status: string;
  /** 0 to 100. */
  percent: number;
  stage: string;
  tips: string;
}

export interface PayMessage {
  type: "PAY_WECHAT";
  /** Id of the order. */
  id: string;
  success: boolean;
}

/** An order of mine stands differently. */
export interface OrderMessage {
  type: "ORDER";
  id: string;
  /** The figure that lists of orders know it by. */
  status: number;
}

/** My certification stands differently. */
export interface CertificationMessage {
  type: "CERTIFICATION";
  checkStatus: number;
}

export interface NoticeMessage {
  type: "MESSAGE";
  /** Empty: nothing new, messages were read or removed in another tab. */
  id: string;
  group?: string;
  /** How many are unread; absent for an announcement, which is new to everybody. */
  unread?: { total: number };
}

/** The support has said something. */
export interface ChatMessage {
  type: "CHAT";
}

export interface OtherMessage {
  type: "OTHER";
  id: string;
  /** The type as it was sent. */
  name: string;
}

export type RealtimeMessage =
  | CheckMessage
  | ServiceMessage
  | PayMessage
  | OrderMessage
  | CertificationMessage
  | NoticeMessage
  | ChatMessage
  | OtherMessage;
export type RealtimeType = RealtimeMessage["type"];

const text = z.coerce.string().catch("");
const number = z.coerce.number().catch(0);
const id = z.coerce.string();

const check = z.object({
  type: z.literal("CHECK"),
  id,
  seq: number,
  status: z.enum(["Begin", "Normal", "Success", "Error"]),
  tips: text,
  currentTime: text,
  fileSize: number,
  format: text,
  animation: z.union([z.boolean(), z.number(), z.string()]).catch(false),
  modelNum: number,
});
const service = z.object({
  type: z.literal("SERVICE"),
  id,
  status: text,
  percent: number,
  stage: text,
  tips: text,
});
const pay = z
  .object({ type: z.literal("PAY_WECHAT"), orderId: id, success: z.boolean().catch(false) })
  .transform(({ type, orderId, success }): PayMessage => ({ type, id: orderId, success }));
const order = z
  .object({ type: z.literal("ORDER"), orderId: id, status: z.coerce.number() })
  .transform(({ type, orderId, status }): OrderMessage => ({ type, id: orderId, status }));
const certification = z.object({ type: z.literal("CERTIFICATION"), checkStatus: z.coerce.number() });
const notice = z.object({
  type: z.literal("MESSAGE"),
  id,
  group: z.string().optional(),
  unread: z.object({ total: number }).optional().catch(undefined),
});
const chat = z.object({ type: z.literal("CHAT") });
const other = z
  .object({ type: z.string(), id: z.coerce.string().catch("") })
  .transform((m): OtherMessage => ({ type: "OTHER", id: m.id, name: m.type }));

const known = z.discriminatedUnion("type", [check, service, pay, order, certification, notice, chat]);

/** Reads the body of a frame; undefined when it is no message we understand. */
export function parseMessage(body: string): RealtimeMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const parsed = known.safeParse(value);
  if (parsed.success) return parsed.data;
  const type = (value as { type?: unknown } | null)?.type;
  // A known type with a broken body is dropped rather than passed on half-read.
  if (
    typeof type !== "string" ||
    ["CHECK", "SERVICE", "PAY_WECHAT", "ORDER", "CERTIFICATION", "MESSAGE", "CHAT"].includes(type)
  )
    return undefined;
  const rest = other.safeParse(value);
  return rest.success ? rest.data : undefined;
}
