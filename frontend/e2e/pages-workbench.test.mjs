/** Every open page of whoever is signed in, by its address. */
import { openPages } from "./lib/pages.mjs";

// covers: @open-routes P06 P07
openPages("pages of the workbench", (route) => route.access === "login");
