const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
/** What browsers return instead of the device's name. */
const MASKED = /^webkit webgl$/i;

let known: boolean | undefined;

/** Whether the processor draws, because there is no graphics card, or none that the browser trusts. */
export function drawnBySoftware(): boolean {
  known ??= SOFTWARE.test(deviceName());
  return known;
}

function deviceName(): string {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "";
  try {
    const name = String(gl.getParameter(gl.RENDERER));
    const info = MASKED.test(name) ? gl.getExtension("WEBGL_debug_renderer_info") : null;
    return info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : name;
  } finally {
    // browsers allow few contexts
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
