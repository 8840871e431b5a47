/** Sizes that the page and the engine share; apart from the engine, so that the page does not load three.js for them. */

/** Share of the stage that a model fills at first. */
export const STAGE_FILL = 0.8;
/** Of a comparison, whose stage has no tools at its sides. */
export const COMPARE_FILL = 0.88;
/** Radius of the comparison's lens in pixels. */
export const LENS_RADIUS = 112;
