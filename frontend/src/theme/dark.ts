import { build } from "./build";
import { dark } from "./tokens";

export const darkTheme = build("dark", dark);
