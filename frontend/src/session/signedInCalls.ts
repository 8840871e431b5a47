/** Not part of the first load: visitors make none of these calls. */
export const signedInCalls = () => import(/* webpackChunkName: "signed-in" */ "./loadUser");
