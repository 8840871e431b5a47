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

export function leaveFor(target: { href: string; external: boolean }): void {
  if (target.external) window.location.assign(target.href);
  else navigateTo(target.href);
}
