/**
 * File System Access handles in IndexedDB, so that after a reload the browser can open the same file again with one
 * confirmation instead of a new file dialog. Only Chromium supports them; in other browsers these functions return
 * nothing.
 */
const DB = "xuanlan-uploads";
const STORE = "handles";

interface ReadableHandle {
  kind: string;
  getFile(): Promise<File>;
  queryPermission?(options: { mode: "read" }): Promise<string>;
  requestPermission?(options: { mode: "read" }): Promise<string>;
}

export type FileHandle = ReadableHandle;

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (typeof indexedDB === "undefined") {
      reject(new Error("no IndexedDB"));
      return;
    }
    const request = indexedDB.open(DB, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB refused"));
  });
}

async function run<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const db = await open();
    try {
      return await new Promise<T>((resolve, reject) => {
        const request = work(db.transaction(STORE, mode).objectStore(STORE));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("IndexedDB failed"));
      });
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

export async function keepHandle(recordId: string, handle: FileHandle): Promise<void> {
  await run("readwrite", (store) => store.put(handle, recordId));
}

export async function dropHandle(recordId: string): Promise<void> {
  await run("readwrite", (store) => store.delete(recordId));
}

export async function hasHandle(recordId: string): Promise<boolean> {
  return (await run("readonly", (store) => store.count(recordId))) === 1;
}

/** Must be called from a click: the browser may ask the user for permission. */
export async function fileFromHandle(recordId: string): Promise<File | undefined> {
  const handle = (await run("readonly", (store) => store.get(recordId))) as FileHandle | undefined;
  if (!handle?.getFile) return undefined;
  try {
    if ((await handle.queryPermission?.({ mode: "read" })) !== "granted") {
      if ((await handle.requestPermission?.({ mode: "read" })) !== "granted") return undefined;
    }
    return await handle.getFile();
  } catch {
    return undefined;
  }
}
