/** Milliseconds between two looks. */
const PAUSE = 10;

/**
 * Resolves when the graphics process has done everything asked of it until now. Asking for a result instead, such as a
 * program's uniforms, would keep this thread waiting.
 *
 * @param patience milliseconds after which it resolves anyway
 * @returns whether everything is done
 */
export async function caughtUp(gl: WebGL2RenderingContext, patience: number): Promise<boolean> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (!fence) return false;
  gl.flush();
  const until = performance.now() + patience;
  const done = () => gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
  while (!done() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  const all = done();
  gl.deleteSync(fence);
  return all;
}
