import { build } from "./build";
import { light } from "./tokens";

export const theme = build("light", light);
