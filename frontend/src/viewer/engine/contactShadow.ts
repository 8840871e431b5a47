import {
  type Box3,
  type Camera,
  CircleGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  type Object3D,
  OrthographicCamera,
  type Plane,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector3,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";

const SIZE = 512;

/** 9-tap Gaussian along one axis; `step` is in texture coordinates. */
const blurShader = {
  vertexShader: "varying vec2 vUv; void main(){ vUv = uv; gl_Position = vec4(position.xy * 2.0, 0.0, 1.0); }",
  fragmentShader: `
    uniform sampler2D source; uniform vec2 step; varying vec2 vUv;
    void main(){
      vec4 sum = texture2D(source, vUv) * 0.1633;
      sum += (texture2D(source, vUv + step) + texture2D(source, vUv - step)) * 0.1531;
      sum += (texture2D(source, vUv + 2.0 * step) + texture2D(source, vUv - 2.0 * step)) * 0.12245;
      sum += (texture2D(source, vUv + 3.0 * step) + texture2D(source, vUv - 3.0 * step)) * 0.0918;
      sum += (texture2D(source, vUv + 4.0 * step) + texture2D(source, vUv - 4.0 * step)) * 0.051;
      gl_FragColor = sum;
    }`,
};

const floorShader = {
  vertexShader:
    "varying vec2 vUv; void main(){ vUv = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
  fragmentShader: `
    varying vec2 vUv;
    void main(){
      float r = length(vUv - 0.5) * 2.0;
      gl_FragColor = vec4(0.46, 0.56, 0.82, 0.2 * pow(max(0.0, 1.0 - r), 1.6));
    }`,
};

/**
 * The soft shadow under a model: its depth seen from below, blurred twice. Redrawn only when the model has changed.
 * Technique: three.js example `webgl_shadow_contact`.
 */
export class ContactShadow {
  readonly group = new Group();
  private readonly target = new WebGLRenderTarget(SIZE, SIZE);
  private readonly scratch = new WebGLRenderTarget(SIZE, SIZE);
  private readonly camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  private readonly depth = new MeshDepthMaterial({ depthTest: false, depthWrite: false });
  private readonly blur = new ShaderMaterial({
    ...blurShader,
    uniforms: { source: { value: null }, step: { value: { x: 0, y: 0 } } },
    depthTest: false,
    depthWrite: false,
  });
  private readonly screen = new Mesh(new PlaneGeometry(1, 1), this.blur);
  private readonly screenScene = new Scene();
  private readonly plane: Mesh<CircleGeometry, MeshBasicMaterial>;
  /** a faint pool of light, so that the shadow has something to darken on a dark stage */
  private readonly floor: Mesh<CircleGeometry, ShaderMaterial>;
  private placed = false;
  dirty = true;

  constructor() {
    this.target.texture.generateMipmaps = false;
    this.depth.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        "gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );",
        "gl_FragColor = vec4( vec3( 0.0 ), pow( 1.0 - fragCoordZ, 2.0 ) * 0.62 );",
      );
    };
    this.screen.frustumCulled = false;
    this.screenScene.add(this.screen);
    this.plane = new Mesh(
      new CircleGeometry(0.5, 96),
      new MeshBasicMaterial({
        map: this.target.texture,
        transparent: true,
        depthWrite: false,
        toneMapped: false,
        color: 0x000000,
      }),
    );
    this.plane.rotation.x = -Math.PI / 2;
    this.plane.scale.y = -1;
    this.plane.renderOrder = -1;
    // a shadow cannot be picked
    this.plane.raycast = () => undefined;
    this.floor = new Mesh(
      new CircleGeometry(0.5, 96),
      new ShaderMaterial({ ...floorShader, transparent: true, depthWrite: false }),
    );
    this.floor.rotation.x = -Math.PI / 2;
    this.floor.renderOrder = -2;
    this.floor.raycast = () => undefined;
    this.group.add(this.floor, this.plane);
  }

  setClipping(planes: Plane[]): void {
    this.depth.clippingPlanes = planes;
    this.depth.needsUpdate = true;
    this.dirty = true;
  }

  place(bounds: Box3): void {
    const size = bounds.getSize(new Vector3());
    const centre = bounds.getCenter(new Vector3());
    const reach = Math.max(size.x, size.z, size.y * 0.6) * 2.1 || 1;
    this.group.position.set(centre.x, bounds.min.y, centre.z);
    this.plane.scale.set(reach, -reach, reach);
    this.plane.position.y = -reach * 0.0008;
    this.floor.scale.setScalar(reach * 1.5);
    this.floor.position.y = -reach * 0.0016;
    const half = reach / 2;
    this.camera.left = -half;
    this.camera.right = half;
    this.camera.top = half;
    this.camera.bottom = -half;
    this.camera.near = 0;
    this.camera.far = Math.max(size.y, reach * 0.1) * 0.7;
    this.camera.position.copy(this.group.position);
    this.camera.rotation.set(Math.PI / 2, 0, 0);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld(true);
    this.placed = true;
    this.dirty = true;
  }

  /** Redraws the shadow if something has moved; `hidden` are helpers that must not cast one. */
  update(renderer: WebGLRenderer, scene: Scene, hidden: readonly Object3D[]): void {
    if (!this.dirty || !this.placed || !this.group.visible) return;
    this.dirty = false;
    const { background, environment, overrideMaterial } = scene;
    const shown = hidden.filter((node) => node.visible);
    for (const node of shown) node.visible = false;
    this.group.visible = false;
    const alpha = renderer.getClearAlpha();
    scene.background = null;
    scene.environment = null;
    scene.overrideMaterial = this.depth;
    renderer.setClearAlpha(0);
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(scene, this.camera);
    for (const spread of [4.5, 2]) this.blurOnce(renderer, spread);
    renderer.setRenderTarget(null);
    renderer.setClearAlpha(alpha);
    scene.background = background;
    scene.environment = environment;
    scene.overrideMaterial = overrideMaterial;
    this.group.visible = true;
    for (const node of shown) node.visible = true;
  }

  private blurOnce(renderer: WebGLRenderer, spread: number): void {
    const { source, step } = this.blur.uniforms;
    if (!source || !step) return;
    const pass = (from: WebGLRenderTarget, to: WebGLRenderTarget, x: number, y: number) => {
      source.value = from.texture;
      step.value = { x: (x * spread) / SIZE / 2, y: (y * spread) / SIZE / 2 };
      renderer.setRenderTarget(to);
      renderer.clear();
      renderer.render(this.screenScene, this.camera as Camera);
    };
    pass(this.target, this.scratch, 1, 0);
    pass(this.scratch, this.target, 0, 1);
  }

  dispose(): void {
    this.target.dispose();
    this.scratch.dispose();
    this.depth.dispose();
    this.blur.dispose();
    this.screen.geometry.dispose();
    this.plane.geometry.dispose();
    this.floor.geometry.dispose();
    this.floor.material.dispose();
    this.plane.material.dispose();
  }
}
