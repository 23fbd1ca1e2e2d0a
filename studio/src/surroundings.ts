// Everything but people: floors, buildings, doors, sky and sun.

import {
  AmbientLight,
  BackSide,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  ExtrudeGeometry,
  Fog,
  FrontSide,
  Group,
  HemisphereLight,
  Mesh,
  MeshLambertMaterial,
  Path,
  Plane,
  type Scene,
  ShaderMaterial,
  Shape,
  ShapeGeometry,
  SphereGeometry,
  Vector3,
  type Material,
} from 'three';

import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

import { closedParts, leadsOn } from './borders';
import type { Layer, MeshMessage, SceneMessage, People } from './protocol';

export interface Extent {
  min: Vector3;
  max: Vector3;
  /** The scene does not say where it is. */
  guessed: boolean;
}

export function heightOf(layer: Layer, x: number, y: number): number {
  return layer.elevation + layer.slope[0] * x + layer.slope[1] * y;
}

/** Where a scene is, from its plan and its mesh. */
export function extentOf(scene: SceneMessage, mesh: MeshMessage | null): Extent {
  const min = new Vector3(Infinity, Infinity, Infinity);
  const max = new Vector3(-Infinity, -Infinity, -Infinity);
  const add = (x: number, y: number, z: number): void => {
    min.min(new Vector3(x, y, z));
    max.max(new Vector3(x, y, z));
  };
  for (const layer of scene.layers) {
    const rings = [...layer.walkable, ...layer.obstacles, ...layer.played].map((polygon) => polygon[0]);
    if (layer.wrap) rings.push(layer.wrap);
    for (const ring of [...rings, ...layer.walls])
      for (let i = 0; i < ring.length; i += 2) add(ring[i], ring[i + 1], heightOf(layer, ring[i], ring[i + 1]));
  }
  if (mesh) for (let i = 0; i < mesh.vertices.length; i += 3) add(mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]);
  if (min.x <= max.x) return { min, max, guessed: false };
  add(-15, -15, 0);
  add(15, 15, 0);
  return { min, max, guessed: true };
}

/**
 * Of a place without walls: where its people are, and some room around. `level`: the height that they are all at, but for what the
 * heads that some programs record differ by, or null.
 */
export function extentAround(people: People): Extent & { level: number | null } {
  const min = new Vector3(Infinity, Infinity, Infinity);
  const max = new Vector3(-Infinity, -Infinity, -Infinity);
  for (let i = 0; i < people.count; ++i) {
    const at = new Vector3(people.x[i], people.y[i], people.z[i]);
    min.min(at);
    max.max(at);
  }
  const room = Math.max(2, 5 - Math.max(max.x - min.x, max.y - min.y) / 2);
  const level = max.z - min.z < 0.8 ? min.z : null;
  return { min: min.sub(new Vector3(room, room, 0)), max: max.add(new Vector3(room, room, 0)), guessed: false, level };
}

/** How much of a floor is shown. */
export type Shown = 'whole' | 'cut' | 'hidden';

const REGIONS: Record<string, number> = {
  grass: 0x7fa65a,
  lawn: 0x7fa65a,
  road: 0x5d6168,
  crossing: 0xd9d9d2,
  water: 0x5b8fb0,
  puddle: 0x5b8fb0,
  stairs: 0xb9a88f,
  mud: 0x8a6f52,
  sand: 0xd6c38f,
  pavement: 0xc8c4ba,
  pond: 0x5b8fb0,
  street: 0x5d6168,
  seats: 0xb08a62,
};

const OTHERS = [0xc9b27c, 0x9db4c0, 0xb7a1c9, 0xd8a48f, 0xa3b18a, 0xe0c56e, 0x8fb8a8, 0xc58f9f];
/** The colour of ground of a type: what the word suggests, else one that follows from it. */
export function regionColour(type: string): number {
  const known = REGIONS[type.toLowerCase()];
  if (known !== undefined) return known;
  let sum = 0;
  for (const letter of type) sum = (Math.imul(sum, 31) + letter.codePointAt(0)!) >>> 0;
  return OTHERS[sum % OTHERS.length];
}

function ring(points: number[], origin: Vector3): [number, number][] {
  const list: [number, number][] = [];
  for (let i = 0; i < points.length; i += 2) list.push([points[i] - origin.x, points[i + 1] - origin.y]);
  return list;
}

function shapeOf(polygon: number[][], origin: Vector3): Shape {
  const trace = <P extends Path>(path: P, points: [number, number][]): P => {
    points.forEach(([x, y], i) => (i === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
    path.closePath();
    return path;
  };
  const shape = trace(new Shape(), ring(polygon[0], origin));
  for (const hole of polygon.slice(1)) shape.holes.push(trace(new Path(), ring(hole, origin)));
  return shape;
}

/** Lifts a flat geometry onto the plane of a layer. */
function onto(geometry: BufferGeometry, layer: Layer, origin: Vector3, above: number): BufferGeometry {
  const position = geometry.getAttribute('position') as BufferAttribute;
  for (let i = 0; i < position.count; ++i)
    position.setZ(i, position.getZ(i) + above + heightOf(layer, position.getX(i) + origin.x, position.getY(i) + origin.y) - origin.z);
  geometry.computeVertexNormals();
  return geometry;
}

export class Surroundings {
  readonly group = new Group();
  readonly doors = new Map<string, Mesh>();
  private sky: Mesh;
  private sun = new DirectionalLight(0xffffff, 2.6);
  private hemisphere = new HemisphereLight(0xcfe3ff, 0x8c8270, 1.35);
  private ambient = new AmbientLight(0xffffff, 0.25);
  private fog = new Fog(0xdfe9f2, 200, 2500);
  private earth: Mesh;
  private skyTop = { value: new Color() };
  private skyLow = { value: new Color() };
  private sunAt = { value: new Vector3(0, 0, 1) };
  private glow = { value: new Color() };
  /** Of a scene that is a model: what one walks on and sees. */
  model: Mesh | null = null;
  private inserted = new Group();
  private floors: { group: Group; stone: MeshLambertMaterial; plane: Plane; elevation: number; shown: Shown }[] = [];
  private pieces = new Map<MeshLambertMaterial, BufferGeometry[]>();
  private size = 100;

  constructor(scene: Scene) {
    this.sky = new Mesh(
      new SphereGeometry(1, 32, 16),
      new ShaderMaterial({
        side: BackSide,
        depthWrite: false,
        fog: false,
        uniforms: { top: this.skyTop, low: this.skyLow, sun: this.sunAt, glow: this.glow },
        vertexShader: 'varying vec3 d; void main() { d = position; gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0); gl_Position.z = gl_Position.w * 0.999999; }',
        fragmentShader: `uniform vec3 top, low, sun, glow; varying vec3 d;
          void main() {
            vec3 v = normalize(d);
            float up = clamp(v.z, 0.0, 1.0);
            vec3 c = mix(low, top, pow(up, 0.55));
            float s = max(dot(v, sun), 0.0);
            c += glow * (0.22 * pow(s, 7.0) + 0.3 * pow(s, 60.0) + 1.4 * smoothstep(0.9994, 0.9998, s));
            gl_FragColor = vec4(c, 1.0);
            #include <colorspace_fragment>
          }`,
      }),
    );
    this.sky.frustumCulled = false;
    this.sky.renderOrder = -1;
    // Below all floors, also where depths can hardly be told apart.
    this.earth = new Mesh(new CircleGeometry(1, 64), new MeshLambertMaterial({ color: 0xb9b7a8, polygonOffset: true, polygonOffsetFactor: 4, polygonOffsetUnits: 400 }));
    this.earth.receiveShadow = true;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.06;
    scene.fog = this.fog;
    scene.add(this.sky, this.earth, this.sun, this.sun.target, this.hemisphere, this.ambient, this.group);
    scene.add(this.inserted);
    this.light(14, false);
  }

  /** The hour of the day, 0 to 24; `dark` dims everything for dark rooms. */
  light(hour: number, dark: boolean): void {
    // A summer's day: up at half past five in the east, 62 degrees high at one, down at half past eight in the west.
    const rise = Math.max(-0.25, Math.sin((Math.PI * (hour - 5.5)) / 15)) * 62;
    const smooth = (from: number, to: number): number => {
      const t = Math.max(0, Math.min(1, (rise - from) / (to - from)));
      return t * t * (3 - 2 * t);
    };
    const dim = dark ? 0.55 : 1;
    const day = smooth(-5, 14);
    const warm = 1 - smooth(5, 28);
    const dusk = smooth(-9, 3);
    const around = (Math.PI * (hour - 13)) / 15;
    const up = (Math.max(rise, 5) * Math.PI) / 180;
    this.sunAt.value.set(-Math.sin(around) * Math.cos(up), -Math.cos(around) * Math.cos(up), Math.sin(up)).normalize();
    this.skyTop.value.setRGB(0.02, 0.03, 0.075).lerp(new Color(0.1, 0.28, 0.6), day).lerp(new Color(0.2, 0.22, 0.42), 0.5 * warm * dusk * day);
    this.skyLow.value.setRGB(0.05, 0.06, 0.11).lerp(new Color(0.6, 0.72, 0.82), day).lerp(new Color(0.85, 0.46, 0.25), 0.62 * warm * dusk);
    this.skyTop.value.multiplyScalar(dim);
    this.skyLow.value.multiplyScalar(dim);
    this.glow.value.set(0xfff0d0).lerp(new Color(0xff7a33), warm).multiplyScalar(dusk * dim * (1 + warm));
    this.sun.color.set(0xfff4e2).lerp(new Color(0xff8b45), 0.85 * warm);
    this.sun.intensity = 3.1 * smooth(-2, 16) * dim + 0.12;
    this.hemisphere.color.set(0xcfe3ff).lerp(new Color(0xb9a8d8), warm * 0.7);
    this.hemisphere.intensity = (0.55 + 0.95 * day) * dim;
    this.ambient.intensity = 0.22 + 0.16 * day * dim;
    this.fog.color.copy(this.skyLow.value);
    (this.earth.material as MeshLambertMaterial).color.setRGB(0.32, 0.4, 0.24);
  }

  /** Where the sun is. */
  get sunlight(): Vector3 {
    return this.sunAt.value;
  }

  set shadows(on: boolean) {
    this.sun.castShadow = on;
  }

  /** Keeps the sky, the ground far away and the shadows around what is looked at. */
  follow(camera: Vector3, target: Vector3): void {
    const reach = Math.max(20, Math.min(220, camera.distanceTo(target) * 1.15));
    const shadow = this.sun.shadow.camera;
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).addScaledVector(this.sunAt.value, 400);
    if (Math.abs(shadow.right - reach) > reach * 0.1) {
      shadow.left = shadow.bottom = -reach;
      shadow.right = shadow.top = reach;
      shadow.near = 50;
      shadow.far = 800;
      shadow.updateProjectionMatrix();
    }
    this.fog.near = this.size * 0.7 + 150;
    this.fog.far = this.size * 3 + 900;
  }

  build(message: SceneMessage, mesh: MeshMessage | null, origin: Vector3, extent: Extent): void {
    this.size = Math.max(extent.max.x - extent.min.x, extent.max.y - extent.min.y, 20);
    for (const child of Array.from(this.group.children)) {
        this.group.remove(child);
        child.traverse((part) => part instanceof Mesh && part.geometry.dispose());
      }
    const before = this.floors.map((floor) => floor.shown);
    this.floors = [];
    this.doors.clear();
    this.model = null;
    if (mesh) this.buildMesh(message, mesh, origin);
    for (const layer of message.layers) {
      const floor = this.addFloor(layer, origin);
      if (!mesh) this.buildLayer(layer, origin, extent, floor.stone, message.connections.flat());
      for (const [material, parts] of this.pieces) this.add(mergeGeometries(parts), material, floor.group);
      this.pieces.clear();
      this.buildDoors(layer, origin, floor.group);
    }
    if (before.length === this.floors.length) before.forEach((shown, i) => this.show(i, shown));
    const middle = new Vector3().addVectors(extent.min, extent.max).multiplyScalar(0.5).sub(origin);
    this.earth.position.set(middle.x, middle.y, Math.min(...message.layers.map((l) => l.elevation), extent.min.z) - origin.z - 0.06);
    this.earth.scale.setScalar(this.size * 8 + 3000);
  }

  private buildMesh(message: SceneMessage, mesh: MeshMessage, origin: Vector3): void {
    const corners = mesh.triangles.length;
    const position = new Float32Array(corners * 3);
    const colour = new Float32Array(corners * 3);
    const paint = new Color();
    const colours = (message.materials ?? []).map((m) => new Color(m.rgb));
    for (let c = 0; c < corners; ++c) {
      const v = mesh.triangles[c] * 3;
      position[c * 3] = mesh.vertices[v] - origin.x;
      position[c * 3 + 1] = mesh.vertices[v + 1] - origin.y;
      position[c * 3 + 2] = mesh.vertices[v + 2] - origin.z;
      paint.copy(colours[mesh.materials[Math.floor(c / 3)]] ?? paint.set(0xb0b0b0));
      colour.set([paint.r, paint.g, paint.b], c * 3);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('color', new BufferAttribute(colour, 3));
    geometry.computeVertexNormals();
    this.model = this.add(geometry, new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }), this.group);
  }

  private add(geometry: BufferGeometry, material: Material, to: Group): Mesh {
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    to.add(mesh);
    return mesh;
  }

  private addFloor(layer: Layer, origin: Vector3): (typeof this.floors)[number] {
    const stone = new MeshLambertMaterial({ color: 0xefe9dd, clipShadows: true });
    const [sx, sy] = layer.slope;
    const level = layer.elevation + sx * origin.x + sy * origin.y - origin.z + 1;
    const steep = Math.hypot(sx, sy, 1);
    const plane = new Plane(new Vector3(sx, sy, -1).divideScalar(steep), level / steep);
    const floor = { group: new Group(), stone, plane, elevation: layer.elevation - origin.z, shown: 'whole' as Shown };
    this.group.add(floor.group);
    this.floors.push(floor);
    return floor;
  }

  /** Kept to be one drawing together with all of the same material. */
  private piece(geometry: BufferGeometry, material: MeshLambertMaterial): void {
    const plain = geometry.index ? geometry.toNonIndexed() : geometry;
    plain.deleteAttribute('uv');
    plain.clearGroups();
    const list = this.pieces.get(material);
    if (list) list.push(plain);
    else this.pieces.set(material, [plain]);
  }

  private buildLayer(layer: Layer, origin: Vector3, extent: Extent, stone: MeshLambertMaterial, connections: number[][]): void {
    const floor = new MeshLambertMaterial({ color: 0xd8d2c4, side: DoubleSide });
    const walkable = [...layer.walkable];
    if (layer.walkable.length === 0 && layer.ground.length === 0) {
      const { min, max } = extent; // the whole plane: as much of it as there is something to see
      const a = 40;
      walkable.push([[min.x - a, min.y - a, max.x + a, min.y - a, max.x + a, max.y + a, min.x - a, max.y + a]]);
    }
    if (layer.ground.length > 0) {
      const position = new Float32Array(layer.ground.length);
      for (let i = 0; i < position.length; i += 3)
        position.set([layer.ground[i] - origin.x, layer.ground[i + 1] - origin.y, layer.ground[i + 2] - origin.z], i);
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(position, 3));
      geometry.computeVertexNormals();
      this.piece(geometry, floor);
    } else {
      for (const polygon of walkable) this.piece(onto(new ShapeGeometry(shapeOf(polygon, origin)), layer, origin, 0), floor);
    }
    for (const polygon of layer.played) this.piece(onto(new ShapeGeometry(shapeOf(polygon, origin)), layer, origin, 0.005), floor);
    layer.regions.forEach((region, order) => {
      // Where regions overlap, the later one counts.
      const paint = new MeshLambertMaterial({ color: regionColour(region.type), side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -2 - order, polygonOffsetUnits: -2 - order });
      for (const polygon of region.area) this.piece(onto(new ShapeGeometry(shapeOf(polygon, origin)), layer, origin, 0.012 + 0.0006 * Math.min(order, 20)), paint);
    });
    this.buildWalls(layer, origin, walkable, stone, connections);
  }

  private buildWalls(layer: Layer, origin: Vector3, walkable: number[][][], stone: MeshLambertMaterial, connections: number[][]): void {
    const block = (polygon: number[][]): void => {
      const geometry = new ExtrudeGeometry(shapeOf(polygon, origin), { depth: layer.wallHeight, bevelEnabled: false });
      this.piece(onto(geometry, layer, origin, 0), stone);
    };
    for (const polygon of [...layer.obstacles, ...layer.playedObjects]) block(polygon);
    const thin = (a: [number, number], b: [number, number], height: number): void => {
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      if (length < 0.01) return;
      const geometry = new BoxGeometry(length + 0.12, 0.12, height);
      geometry.translate(0, 0, height / 2);
      geometry.rotateZ(Math.atan2(b[1] - a[1], b[0] - a[0]));
      geometry.translate((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0);
      this.piece(onto(geometry, layer, origin, 0), stone);
    };
    for (const wall of layer.walls) {
      const points = ring(wall, origin);
      for (let i = 1; i < points.length; ++i) thin(points[i - 1], points[i], layer.wallHeight);
    }
    // The border, low enough to look over, and open where one goes on to another floor.
    const ends = connections.map(([ax, ay, bx, by]) => [ax - origin.x, ay - origin.y, bx - origin.x, by - origin.y]);
    const rail = (points: [number, number][], height: number): void =>
      points.forEach((a, i) => {
        for (const [from, to] of closedParts(a, points[(i + 1) % points.length], ends)) thin(from, to, Math.min(height, layer.wallHeight));
      });
    for (const polygon of layer.walkable) rail(ring(polygon[0], origin), 0.5);
    // A hole is a block, or where stairs come out of it, a hole.
    for (const polygon of walkable)
      for (const hole of polygon.slice(1)) {
        const points = ring(hole, origin);
        if (leadsOn(points, ends)) rail(points, 0.9);
        else block([hole]);
      }
  }

  private buildDoors(layer: Layer, origin: Vector3, to: Group): void {
    for (const door of layer.doors) {
      const [ax, ay, bx, by] = door.line;
      const length = Math.hypot(bx - ax, by - ay);
      const geometry = new BoxGeometry(length, 0.14, 2.1);
      geometry.translate(0, 0, 1.05);
      const mesh = this.add(geometry, new MeshLambertMaterial({ color: 0x9a5b32 }), to);
      mesh.position.set((ax + bx) / 2 - origin.x, (ay + by) / 2 - origin.y, heightOf(layer, ax, ay) - origin.z);
      mesh.rotation.z = Math.atan2(by - ay, bx - ax);
      mesh.name = door.name;
      this.doors.set(door.name, mesh);
      this.setDoor(door.name, door.open);
    }
  }

  /** An open door is a sill that shows where it is. */
  setDoor(name: string, open: boolean): void {
    const mesh = this.doors.get(name);
    if (!mesh) return;
    mesh.scale.z = open ? 0.02 : 1;
    mesh.userData.open = open;
    (mesh.material as MeshLambertMaterial).color.set(open ? 0x59a14f : 0x9a5b32);
  }

  /** What events have put there. */
  setObstacles(obstacles: { layer: number; shape: number[]; z?: number }[], layers: Layer[], origin: Vector3): void {
    this.inserted.clear();
    for (const { layer, shape, z } of obstacles) {
      const on = layers[layer];
      if (!on || shape.length < 6) continue;
      // A slope beneath it should not show through.
      const sunk = z === undefined ? 0 : 0.5;
      const geometry = new ExtrudeGeometry(shapeOf([shape], origin), { depth: Math.min(on.wallHeight, 1.2) + sunk, bevelEnabled: false });
      this.add(z === undefined ? onto(geometry, on, origin, 0) : geometry.translate(0, 0, z - origin.z - sunk), new MeshLambertMaterial({ color: 0xb08968 }), this.inserted);
    }
  }

  /** Walls cut at a metre, so that one sees who is behind them: on all floors, or none. */
  cut(on: boolean): void {
    this.floors.forEach((floor, i) => {
      if (floor.shown !== 'hidden') this.show(i, on ? 'cut' : 'whole');
    });
  }

  /** A floor in full, cut open at a metre, or not at all. A model, which knows no floors, is cut where the floor begins. */
  show(index: number, shown: Shown): void {
    const floor = this.floors[index];
    if (!floor) return;
    floor.shown = shown;
    floor.group.visible = shown !== 'hidden';
    const cut = shown === 'cut';
    floor.stone.clippingPlanes = cut ? [floor.plane] : null;
    floor.stone.side = cut ? DoubleSide : FrontSide;
    floor.stone.needsUpdate = true;
    if (!this.model) return;
    const material = this.model.material as MeshLambertMaterial;
    const heights = this.floors.filter((f) => f.shown !== 'whole').map((f) => f.elevation + (f.shown === 'cut' ? 1.6 : -0.15));
    material.clippingPlanes = heights.length > 0 ? [new Plane(new Vector3(0, 0, -1), Math.min(...heights))] : null;
    material.clipShadows = true;
    material.needsUpdate = true;
  }

  isHidden(index: number): boolean {
    return this.floors[index]?.shown === 'hidden';
  }

  /** Heights between which nobody is shown, from the datum of the drawing: those of hidden floors up to the next one. */
  get hidden(): [number, number][] {
    const bands: [number, number][] = [];
    for (const floor of this.floors) {
      if (floor.shown !== 'hidden') continue;
      const above = this.floors.map((f) => f.elevation).filter((z) => z > floor.elevation + 1);
      bands.push([floor.elevation - 0.6, Math.min(Infinity, ...above) - 0.6]);
    }
    return bands;
  }
}
