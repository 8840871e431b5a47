import { useEffect } from "react";

/** The document's title by what the page shows, instead of the route's; nothing known yet: the route's stays. */
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

/** The address that stands for the page, whatever else its query carries. */
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

/** What the page is about, in the head: whoever shares or saves it takes the words from there. */
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
