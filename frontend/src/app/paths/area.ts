export const layoutNames = [
  "company",
  "default",
  "edit",
  "operation",
  "personal",
  "publish",
  "simple",
  "simple2",
  "text3d",
  "workbench",
] as const;

export type LayoutName = (typeof layoutNames)[number];
/**
 * `login`: a visitor is sent to sign-in with a return address. `operator`: a page of the operators' console, which
 * the public site does not serve.
 */
export type Access = "public" | "login" | "operator";

/** A page of the product as everybody may know it: nothing here leads to its script. */
export interface PagePath<Path extends string = string, Open extends boolean = boolean> {
  /** As the router reads it; `:x?` is an optional parameter. */
  path: Path;
  /** Title of the document, without the product's name. */
  title: string;
  layout: LayoutName;
  access: Access;
  /** False: the page has not been built yet and says so. */
  open: Open;
}

type Frame = Pick<PagePath, "layout" | "access">;

/** The two ways to name a page of an area: `page` is open and has a loader beside (app/routes), `soon` is not. */
export function area(usual: Frame) {
  const row =
    <Open extends boolean>(open: Open) =>
    <Path extends string>(path: Path, title: string, own: Partial<Frame> = {}): PagePath<Path, Open> => ({
      path,
      title,
      ...usual,
      ...own,
      open,
    });
  return { page: row(true), soon: row(false) };
}
