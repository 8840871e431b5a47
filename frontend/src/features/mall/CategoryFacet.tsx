import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import { useState } from "react";
import { useTransactionLabelCateQuery } from "@/calls/transaction";
import KeyboardArrowDownOutlined from "@/ui/icons/KeyboardArrowDownOutlined";
import { chosen, toggled } from "./address";
import { branchesOf, type CategoryBranch } from "./categories";
import { FacetGroup } from "./FacetGroup";
import { bucketsOf, FacetRow, type FacetsProps, FIRST } from "./FacetRow";

/** Categories of the first level; below the chosen one, or one that is opened, those in it. */
export function CategoryFacet({ facets, query, onQuery }: FacetsProps) {
  const { data: tree = [] } = useTransactionLabelCateQuery({});
  const keys = chosen(query, "category");
  const branches = branchesOf(tree, bucketsOf(facets, "category", keys));
  const holds = ({ bucket, children }: CategoryBranch) =>
    [bucket, ...children].some(({ key }) => keys.includes(key));
  return (
    <FacetGroup name="category" all={branches} kept={(branch, i) => i < FIRST || holds(branch)}>
      {(branch) => (
        <Branch
          key={branch.bucket.key}
          branch={branch}
          chosen={keys}
          open={holds(branch)}
          onToggle={(key) => onQuery(toggled(query, "category", key))}
        />
      )}
    </FacetGroup>
  );
}

function Branch({
  branch: { bucket, children },
  chosen: keys,
  open: openAtFirst,
  onToggle,
}: {
  branch: CategoryBranch;
  chosen: readonly string[];
  open: boolean;
  onToggle: (key: string) => void;
}) {
  /** By hand; else it follows the choice. */
  const [opened, setOpened] = useState<boolean>();
  const open = opened ?? openAtFirst;
  return (
    <>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <FacetRow bucket={bucket} on={keys.includes(bucket.key)} onToggle={() => onToggle(bucket.key)} />
        </Box>
        <Box sx={{ flex: "none", width: 28 }}>
          {children.length > 0 && (
            <IconButton
              size="small"
              aria-label={`${bucket.name}的下级分类`}
              aria-expanded={open}
              onClick={() => setOpened(!open)}
              sx={{ p: 0.5 }}
            >
              <KeyboardArrowDownOutlined
                sx={{
                  fontSize: 20,
                  transform: open ? "rotate(180deg)" : "none",
                  transition: "transform 120ms ease-out",
                }}
              />
            </IconButton>
          )}
        </Box>
      </Box>
      {open && children.length > 0 && (
        <Box role="group" aria-label={`${bucket.name}之内`} sx={{ pl: 2, pr: 5 }}>
          {children.map((child) => (
            <FacetRow
              key={child.key}
              bucket={child}
              on={keys.includes(child.key)}
              onToggle={() => onToggle(child.key)}
            />
          ))}
        </Box>
      )}
    </>
  );
}
