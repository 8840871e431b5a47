import { z } from "zod";

const schema = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  kid: z.string().min(1),
  analyticsHost: z.string().default(""),
  sandbox: z.string().nullish(),
  loginUrl: z.string().nullish(),
  cookieDomain: z.string().nullish(),
  hotline: z.string().default(""),
  mallUrl: z.string().default(""),
  qqConsultUrl: z.string().default(""),
  wechatConsultUrl: z.string().default(""),
  wechatAppId: z.string().nullish(),
  qqAppId: z.string().nullish(),
  wechatAuthorizeUrl: z.string().nullish(),
  qqAuthorizeUrl: z.string().nullish(),
  contact: z.object({ email: z.string().default(""), address: z.string().default("") }).prefault({}),
  icp: z.string().default(""),
});

/** What the gateway tells the browser before the first page is drawn (`GET /config.json`). */
export type AppConfig = z.infer<typeof schema>;

let current: AppConfig | undefined;

/** Loads the configuration once. Fails with a readable Chinese message. */
export async function loadConfig(): Promise<AppConfig> {
  const answer = await fetch("/config.json", { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`读取站点配置失败（HTTP ${answer.status}）`);
  return setConfig(await answer.json());
}

export function setConfig(value: unknown): AppConfig {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Error("站点配置的内容不完整，请联系管理员");
  current = parsed.data;
  return current;
}

/** The loaded configuration. Calling it before `loadConfig` is a programming error. */
export function getConfig(): AppConfig {
  if (!current) throw new Error("configuration was read before it was loaded");
  return current;
}
