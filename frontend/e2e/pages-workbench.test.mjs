/** Every open page for signed-in users, by its address. */
import { openPages } from "./lib/pages.mjs";

// covers: @open-routes P06 P07
openPages("pages of the workbench", (route) => route.access === "login");
