import type { HTMLAttributes, ReactElement } from "react";
import type { Viewer } from "./index.js";

export interface XuanlanEmbedProps extends Omit<HTMLAttributes<HTMLDivElement>, "title" | "onError"> {
  url: string;
  title?: string;
  onReady?: (viewer: Viewer) => void;
  onError?: (message: string) => void;
}

export function XuanlanEmbed(props: XuanlanEmbedProps): ReactElement;
