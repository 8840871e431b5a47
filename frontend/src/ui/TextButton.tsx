import Button, { type ButtonProps } from "@mui/material/Button";

/** A small button without a frame whose text, not its edge, stands in line with the texts around it. */
export function TextButton({ sx, ...rest }: Omit<ButtonProps, "size" | "variant">) {
  return (
    <Button
      {...rest}
      size="small"
      sx={[{ px: 0.75, mx: -0.75, minWidth: 0 }, ...(Array.isArray(sx) ? sx : [sx])]}
    />
  );
}
