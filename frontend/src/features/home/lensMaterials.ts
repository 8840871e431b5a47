import { Color, type Material, ShaderMaterial, Vector2 } from "three";

/** Position of the lens: centre in device pixels from the lower left, radius in device pixels. */
export interface LensUniforms {
  uLens: { value: Vector2 };
  uLensRadius: { value: number };
  uViewport: { value: Vector2 };
}

export function lensUniforms(): LensUniforms {
  return {
    uLens: { value: new Vector2(-1e4, -1e4) },
    uLensRadius: { value: 0 },
    uViewport: { value: new Vector2(1, 1) },
  };
}

/** Makes a lit material transparent under the lens. */
export function cutOutLens(material: Material, uniforms: LensUniforms): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.uLens = uniforms.uLens;
    shader.uniforms.uLensRadius = uniforms.uLensRadius;
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform vec2 uLens;\nuniform float uLensRadius;")
      .replace(
        "#include <clipping_planes_fragment>",
        "#include <clipping_planes_fragment>\nif (distance(gl_FragCoord.xy, uLens) < uLensRadius) discard;",
      );
  };
}

/** Magnification under the lens. */
const MAGNIFY = 1.14;

const VERTEX = /* glsl */ `
uniform vec2 uLens;
uniform vec2 uViewport;
uniform float uMagnify;
varying float vDepth;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vDepth = -view.z;
  vec4 clip = projectionMatrix * view;
  vec2 centre = uLens / uViewport * 2.0 - 1.0;
  clip.xy = (centre + (clip.xy / clip.w - centre) * uMagnify) * clip.w;
  gl_Position = clip;
}`;

const FRAGMENT = /* glsl */ `
uniform vec2 uLens;
uniform float uLensRadius;
uniform vec3 uColour;
uniform float uOpacity;
varying float vDepth;
void main() {
  float d = distance(gl_FragCoord.xy, uLens);
  if (d > uLensRadius) discard;
  float edge = smoothstep(uLensRadius, uLensRadius * 0.9, d);
  gl_FragColor = vec4(uColour, uOpacity * edge);
}`;

/**
 * Draws only under the lens, slightly enlarged. `behind` lines ignore depth and are faint; "depth" writes depth alone, so that
 * near surfaces hide far lines.
 */
export function lensMaterial(
  uniforms: LensUniforms,
  look: { colour: string; opacity: number; behind?: boolean } | "depth",
): ShaderMaterial {
  const depthOnly = look === "depth";
  return new ShaderMaterial({
    uniforms: {
      ...uniforms,
      uMagnify: { value: MAGNIFY },
      uColour: { value: new Color(depthOnly ? "#000" : look.colour) },
      uOpacity: { value: depthOnly ? 0 : look.opacity },
    },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: !depthOnly,
    depthWrite: depthOnly,
    depthTest: depthOnly || !look.behind,
    colorWrite: !depthOnly,
    // Pushes surfaces back slightly, so that lines lying on them win.
    polygonOffset: depthOnly,
    polygonOffsetFactor: 1.5,
    polygonOffsetUnits: 1.5,
  });
}
