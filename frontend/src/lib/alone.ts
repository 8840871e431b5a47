/** The last work of each name in this tab, for browsers without locks and for pages that may not use them. */
const last = new Map<string, Promise<unknown>>();

function aloneHere<T>(name: string, work: () => Promise<T>): Promise<T> {
  const done = (last.get(name) ?? Promise.resolve()).then(work, work);
  last.set(name, done);
  return done;
}

/**
 * Runs one work of a name at a time, in the order of the calls: across the tabs of this origin where the browser has locks (it gives
 * them to secure pages only), else within this tab.
 */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return aloneHere(name, work);
  let began = false;
  try {
    return await navigator.locks.request(name, () => {
      began = true;
      return work();
    });
  } catch (error) {
    if (began) throw error;
    // Without access to the site's storage a page gets no locks either.
    return aloneHere(name, work);
  }
}
