import { useEffect, useLayoutEffect } from "react";

const titleOf = (title: string) => `${title} - 玄览云运营后台`;

/** The title of a page in the browser's tab, before the effects of its content. */
export function useTitle(title: string | undefined): void {
  useLayoutEffect(() => {
    if (title) document.title = titleOf(title);
  }, [title]);
}

/** The title that tells one object's page from another's, as long as its name is drawn. */
export function useObjectTitle(name: string | undefined): void {
  useEffect(() => {
    if (!name) return undefined;
    const before = document.title;
    const own = titleOf(name);
    document.title = own;
    return () => {
      // the next page may have set its own already
      if (document.title === own) document.title = before;
    };
  }, [name]);
}
