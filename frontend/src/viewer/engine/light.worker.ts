import { lightOf } from "./presets";

/** Computes the light of the first picture beside the page's own work. */
(self as unknown as { postMessage(message: unknown): void }).postMessage(lightOf("studio"));
