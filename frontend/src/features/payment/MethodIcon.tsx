import { golden } from "@/theme";
import type { Method } from "./methods";

const LOOK: Record<Method, { colour: string; path: string }> = {
  wechat: {
    colour: "#1AAD19",
    path: "M8 5c-3.3 0-6 2.1-6 4.8 0 1.5.9 2.9 2.2 3.7L3.7 15l2-1c.7.2 1.5.3 2.3.3h.4a4.3 4.3 0 01-.2-1.3c0-2.6 2.5-4.7 5.6-4.7h.1C13.300 6.400 10.900 5 8 5zM13.800 9.400c-2.600 0-4.700 1.700-4.700 3.800s2.100 3.800 4.700 3.800c.600 0 1.200-.1 1.700-.3l1.600.8-.4-1.300c1.100-.7 1.800-1.900 1.800-3.100 0-2.100-2.100-3.900-4.700-3.900z",
  },
  cloudCoin: {
    colour: golden.line,
    path: "M10 2a8 8 0 100 16 8 8 0 000-16zM7 6.500l3 3.800 3-3.800M10 10.300V15M7.300 11.800h5.400",
  },
  incomeBalance: { colour: "#0FA3A3", path: "M3 6h14v10H3zM3 9h14M13 12.500h2" },
  memberFree: { colour: golden.solid, path: "M3 6.500l3.500 3L10 4.500l3.500 5 3.500-3-1.500 9h-11z" },
  alipay: {
    colour: "#1677FF",
    path: "M4 6.500h12M10 4v5M5.500 9.500h9M14 9.500c-1.200 3.500-4 6-7.300 6-1.800 0-2.700-.9-2.700-1.900s1-1.900 2.700-1.900c3 0 5.800 1.800 9.300 3.300",
  },
};

/** Decorative icon of a payment method; its name is shown beside it. */
export function MethodIcon({ method }: { method: Method }) {
  const { colour, path } = LOOK[method];
  const solid = method === "wechat";
  return (
    <svg width="24" height="24" viewBox="0 0 20 20" aria-hidden="true" style={{ flex: "none" }}>
      <path
        d={path}
        fill={solid ? colour : "none"}
        stroke={solid ? "none" : colour}
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
