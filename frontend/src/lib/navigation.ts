/** Lets code outside React navigate without depending on the router. */
type Navigate = (path: string) => void;

let navigate: Navigate | undefined;

export function setNavigate(fn: Navigate | undefined): void {
  navigate = fn;
}

export function currentPath(): string {
  const { pathname, search, hash } = window.location;
  return `${pathname}${search}${hash}`;
}

export function navigateTo(path: string): void {
  if (navigate) navigate(path);
  else window.location.assign(path);
}

let reload: (() => void) | undefined;

/** Replaces the browser's own reload; `undefined` restores it. */
export function setReload(fn: (() => void) | undefined): void {
  reload = fn;
}

/** Reloads the current address. */
export function reloadPage(): void {
  if (reload) reload();
  else window.location.reload();
}

export function leaveFor(target: { href: string; external: boolean }): void {
  if (target.external) window.location.assign(target.href);
  else navigateTo(target.href);
}
