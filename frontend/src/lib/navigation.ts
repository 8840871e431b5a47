/** Lets code outside React move between pages without knowing the router. */
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

/** Takes the place of the browser's own reload; `undefined` gives it back. */
export function setReload(fn: (() => void) | undefined): void {
  reload = fn;
}

/** Loads the address one is at again. */
export function reloadPage(): void {
  if (reload) reload();
  else window.location.reload();
}

export function leaveFor(target: { href: string; external: boolean }): void {
  if (target.external) window.location.assign(target.href);
  else navigateTo(target.href);
}
