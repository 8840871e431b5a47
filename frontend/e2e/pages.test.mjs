/** Every open page of the site by its address. */
import { openPages } from "./lib/pages.mjs";

// covers: @open-routes P06 P07
openPages("pages", (route) => route.access !== "login");
