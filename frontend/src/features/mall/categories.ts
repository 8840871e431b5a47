import type { TransactionFacetBucket, TransactionMallCategory } from "@/calls/transaction";

type Tree = readonly TransactionMallCategory[];

export interface CategoryBranch {
  bucket: TransactionFacetBucket;
  children: TransactionFacetBucket[];
}

/** Counted categories below the ones above them, in the order they are counted in; those of no tree stand alone. */
export function branchesOf(tree: Tree, buckets: readonly TransactionFacetBucket[]): CategoryBranch[] {
  const branches = new Map<string, CategoryBranch>();
  for (const bucket of buckets) {
    const above = tree.find(({ children }) => children.some(({ id }) => id === bucket.key));
    const top = above ? { key: above.id, name: above.name, count: 0 } : bucket;
    const branch = branches.get(top.key) ?? { bucket: top, children: [] };
    if (above) {
      branch.children.push(bucket);
      // the category above may be cut off the counted ones
      if (!buckets.some(({ key }) => key === above.id))
        branch.bucket = { ...branch.bucket, count: branch.bucket.count + bucket.count };
    } else branch.bucket = bucket;
    branches.set(top.key, branch);
  }
  return [...branches.values()];
}

/** The filter that a suggestion names; undefined if no category or label is called so. */
export function filterOf(
  tree: Tree,
  { kind, text }: { kind: string; text: string },
): { facet: "category" | "label"; key: string } | undefined {
  if (kind === "category") {
    const all = [...tree, ...tree.flatMap(({ children }) => children)];
    const found = all.find(({ name }) => name === text);
    return found && { facet: "category", key: found.id };
  }
  if (kind !== "label") return undefined;
  const found = tree.flatMap(({ labels }) => labels).find(({ name }) => name === text);
  return found && { facet: "label", key: found.key };
}
