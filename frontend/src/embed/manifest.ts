/** Data that the gateway puts into the page. */
export interface Manifest {
  share: string;
  name: string;
  model: string;
  proxy: string;
  bytes: number;
  /** a document xlscene/1; null: the viewer's default */
  scene: unknown;
  options: Options | null;
  /** id of this view; empty: it does not count */
  look: string;
  /** hosts that may frame the page */
  parents: string[];
  anywhere: boolean;
  /** origins of the site's own pages */
  site: string[];
}

export interface Options {
  autostart?: boolean;
  /** absent: all */
  tools?: string[];
  background?: string;
  start?: { position: [number, number, number]; target: [number, number, number] };
}

export function readManifest(text: string | null | undefined): Manifest | undefined {
  try {
    return JSON.parse(text ?? "") as Manifest;
  } catch {
    return undefined;
  }
}

/** Whether a page of this origin may send messages: it must be allowed to frame us. */
export function admits({ anywhere, parents, site }: Manifest, origin: string): boolean {
  if (site.includes(origin)) return true;
  if (origin === "null" || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  if (anywhere) return true;
  return parents.some((known) =>
    known.startsWith("*.") ? host.endsWith(known.slice(1)) && host.length > known.length - 1 : host === known,
  );
}
