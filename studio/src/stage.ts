// What draws, and what a hand turns.

import { ACESFilmicToneMapping, PCFShadowMap, WebGLRenderer, type PerspectiveCamera } from 'three';
import { MapControls } from 'three/addons/controls/MapControls.js';

export function makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  const renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.toneMapping = ACESFilmicToneMapping;
  renderer.toneMappingExposure = 1.05;
  renderer.localClippingEnabled = true;
  return renderer;
}

export function makeControls(camera: PerspectiveCamera, canvas: HTMLCanvasElement): MapControls {
  camera.up.set(0, 0, 1);
  const controls = new MapControls(camera, canvas);
  controls.enableDamping = true;
  controls.dampingFactor = 0.12;
  controls.zoomToCursor = true;
  controls.maxPolarAngle = Math.PI * 0.495;
  controls.minDistance = 2;
  controls.maxDistance = 3000;
  controls.listenToKeyEvents(canvas);
  return controls;
}

export function goNearer(camera: PerspectiveCamera, { target, minDistance, maxDistance }: MapControls, factor: number): void {
  const away = camera.position.clone().sub(target);
  away.setLength(Math.min(maxDistance, Math.max(minDistance, away.length() * factor)));
  camera.position.copy(target).add(away);
}

export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  const link = document.createElement('a');
  link.download = `${name}.png`;
  link.href = canvas.toDataURL('image/png');
  link.click();
}

/** Depths are told apart as far away as one looks: from high above, nothing is near. `highest`: of what there is to be seen. */
export function keepDepth(camera: PerspectiveCamera, highest: number): void {
  const near = Math.min(Math.max(0.03 * (camera.position.z - highest), 0.3), 300);
  if (Math.abs(near / camera.near - 1) < 0.1) return;
  camera.near = near;
  camera.updateProjectionMatrix();
}
