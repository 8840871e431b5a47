import { useEffect } from "react";

/** Sets the document's title to that of the content; while undefined the route's stays. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return;
    const before = document.title;
    const own = `${title} - 玄览云`;
    document.title = own;
    return () => {
      // the next page may have set its own already
      if (document.title === own) document.title = before;
    };
  }, [title]);
}

/** The canonical address of the page, without the rest of its query. */
export function useCanonical(path: string | undefined): void {
  useEffect(() => {
    if (!path) return;
    const link = document.createElement("link");
    link.rel = "canonical";
    link.href = `${window.location.origin}${path}`;
    document.head.append(link);
    return () => link.remove();
  }, [path]);
}

/** The page's description in the head, for search engines and shared links. */
export function useDescription(text: string | undefined): void {
  useEffect(() => {
    const meta = document.head.querySelector<HTMLMetaElement>('meta[name="description"]');
    if (!text || !meta) return;
    const before = meta.content;
    meta.content = text;
    return () => {
      meta.content = before;
    };
  }, [text]);
}
