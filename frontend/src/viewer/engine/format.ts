/** Metres in the most readable unit: 0.0042 → "4.2 mm", 1250 → "1.25 km". */
export function formatLength(metres: number): string {
  const size = Math.abs(metres);
  if (size === 0) return "0 m";
  if (size < 0.0001) return `${round(metres * 1e6)} μm`;
  if (size < 0.01) return `${round(metres * 1000)} mm`;
  if (size < 1) return `${round(metres * 100)} cm`;
  if (size < 1000) return `${round(metres)} m`;
  return `${round(metres / 1000)} km`;
}

function round(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}
