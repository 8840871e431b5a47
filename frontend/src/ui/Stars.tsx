import Rating from "@mui/material/Rating";

/** A rating of 0 to 5 stars, or an average of several. */
export function Stars({ value }: { value: number }) {
  const label = `${Math.round(value * 10) / 10} 星`;
  return <Rating readOnly size="small" precision={0.1} value={value} getLabelText={() => label} />;
}
