/** Sizes shared by the page and the engine; separate from the engine, so that the page does not load three.js for them. */

/** Initial share of the stage that a model fills. */
export const STAGE_FILL = 0.8;
/** The same for a comparison, whose stage has no tools at its sides. */
export const COMPARE_FILL = 0.88;
/** Radius of the comparison's lens in pixels. */
export const LENS_RADIUS = 112;
