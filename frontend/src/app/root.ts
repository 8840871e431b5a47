import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";

/** The page's React root; its module is one part of the first load. */
export const rootIn = (container: HTMLElement): { render: (children: ReactNode) => void } =>
  createRoot(container);
