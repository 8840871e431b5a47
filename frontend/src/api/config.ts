/** Configuration that the gateway sends the browser before the first page is drawn (`GET /config.json`). */
export interface AppConfig {
  clientId: string;
  clientSecret: string;
  kid: string;
  analyticsHost: string;
  /** Address of the sandbox's pages; empty if disabled. */
  sandbox: string;
  /** Login system to which guarded pages redirect visitors; empty: our own page. */
  loginUrl: string;
  /** Domain across which the login cookies are shared; empty: this host only. */
  cookieDomain: string;
  hotline: string;
  mallUrl: string;
  qqConsultUrl: string;
  wechatConsultUrl: string;
  /** Page of the online chat; empty: the toolbar shows the other contacts. */
  chatUrl: string;
  /** Separate site for phones; empty: our own pages, which are responsive. */
  mobileUrl: string;
  /** App ids at the social providers; empty: that sign-in is not configured. */
  wechatAppId: string;
  qqAppId: string;
  /** Origin of shared works and frames; empty: sharing is off. */
  embedUrl: string;
  contact: { email: string; address: string };
  icp: string;
}

/** Whether the operator has configured any contact; pages omit what is not configured. */
export function hasContact(config: AppConfig): boolean {
  const { hotline, contact, wechatConsultUrl, qqConsultUrl } = config;
  return Boolean(hotline || contact.email || contact.address || wechatConsultUrl || qqConsultUrl);
}

let current: AppConfig | undefined;

function textOf(source: unknown, name: string): string {
  if (typeof source !== "object" || source === null) return "";
  const value = (source as Record<string, unknown>)[name];
  return typeof value === "string" ? value : "";
}

/** Loads the configuration once. Fails with a readable Chinese message. */
export async function loadConfig(): Promise<AppConfig> {
  const answer = await fetch("/config.json", { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`读取站点配置失败（HTTP ${answer.status}）`);
  return setConfig(await answer.json());
}

/** Sets the configuration; the three values that sign every call are required. */
export function setConfig(value: unknown): AppConfig {
  const text = (name: string) => textOf(value, name);
  const contact = (value as { contact?: unknown } | null)?.contact;
  const config: AppConfig = {
    clientId: text("clientId"),
    clientSecret: text("clientSecret"),
    kid: text("kid"),
    analyticsHost: text("analyticsHost"),
    sandbox: text("sandbox"),
    loginUrl: text("loginUrl"),
    cookieDomain: text("cookieDomain"),
    hotline: text("hotline"),
    mallUrl: text("mallUrl"),
    qqConsultUrl: text("qqConsultUrl"),
    wechatConsultUrl: text("wechatConsultUrl"),
    chatUrl: text("chatUrl"),
    mobileUrl: text("mobileUrl"),
    wechatAppId: text("wechatAppId"),
    qqAppId: text("qqAppId"),
    embedUrl: text("embedUrl"),
    contact: { email: textOf(contact, "email"), address: textOf(contact, "address") },
    icp: text("icp"),
  };
  if (!config.clientId || !config.clientSecret || !config.kid) {
    throw new Error("站点配置的内容不完整，请联系管理员");
  }
  current = config;
  return config;
}

/** The loaded configuration. Calling it before `loadConfig` is a programming error. */
export function getConfig(): AppConfig {
  if (!current) throw new Error("configuration was read before it was loaded");
  return current;
}
