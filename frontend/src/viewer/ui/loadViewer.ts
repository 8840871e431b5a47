/** Loads the engine, and three.js with it. */
export const loadViewer = () => import(/* webpackChunkName: "viewer-engine" */ "../engine/Viewer");
