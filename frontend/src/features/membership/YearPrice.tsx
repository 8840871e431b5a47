import Skeleton from "@mui/material/Skeleton";
import { Price } from "@/ui/Price";

/** Yearly price; until it is loaded, a line of the same height. */
export function YearPrice({ cents, size }: { cents: number | undefined; size: number }) {
  if (cents === undefined)
    return (
      <Skeleton
        variant="text"
        component="span"
        role="img"
        aria-label="正在读取价格"
        sx={{ display: "inline-block", width: size * 3, fontSize: size, lineHeight: 1.1 }}
      />
    );
  return <Price cents={cents} size={size} trim unit="/年" />;
}
