import type { Grade } from "@/ui/MemberBadge";

const GIB = 1024 ** 3;

/** Storage of each grade in bytes. */
export const STORAGE_LIMIT: Record<Grade, number> = {
  free: 10 * GIB,
  basic: 500 * GIB,
  advanced: 1024 * GIB,
  professional: 5 * 1024 * GIB,
};

export interface StorageUse {
  bytes: number;
  /** The list was longer than what was asked for, so that more is used than is counted. */
  atLeast: boolean;
}

/** Bytes of the source files that were listed. */
export function storageUse(files: readonly { fileSize: number }[], totalCount: number): StorageUse {
  const bytes = files.reduce((sum, file) => sum + Number(file.fileSize), 0);
  return { bytes, atLeast: totalCount > files.length };
}
