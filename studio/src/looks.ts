// What somebody looks like, from their number alone: the same in every run and every browser.

export const enum Kind {
  Man,
  Woman,
  Boy,
  Girl,
  OldMan,
  OldWoman,
}
export const enum Wear {
  None,
  Skirt,
  Coat,
}
export const enum Load {
  None,
  Backpack,
  Bag,
}
export const enum Prop {
  None,
  Umbrella,
  Pram,
  Phone,
}

export interface Look {
  kind: Kind;
  /** m */
  height: number;
  /** 0 … 7, slim to stout. */
  build: number;
  skin: number;
  hair: number;
  /** 0 short, 1 long, 2 a bun, 3 next to none. */
  hairStyle: number;
  wear: Wear;
  load: Load;
  prop: Prop;
  shortSleeves: boolean;
  shorts: boolean;
  /** An open jacket: what is under it is of another colour. */
  jacket: boolean;
  /** 0xRRGGBB */
  top: number;
  bottom: number;
  accent: number;
  /** 0 … 1, where in a clip this person begins. */
  seed: number;
}

/** 32 well-mixed bits (PCG). */
export function hash(n: number): number {
  let state = (Math.imul(n >>> 0, 747796405) + 2891336453) >>> 0;
  state = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737) >>> 0;
  return ((state >>> 22) ^ state) >>> 0;
}

const TOPS = [
  0x22304c, 0x1e2230, 0x2b2d33, 0x46505c, 0x7d8791, 0xb9bcc0, 0xe9e6df, 0xf4f1ea, 0x8c2f2c, 0xb5483a, 0xc77b4a, 0xc9a04a, 0x5f7149, 0x3c5a4a, 0x2f6f73, 0x3d6ea5,
  0x7fa3c7, 0x5b4a78, 0x8f5b78, 0xd09a9a, 0x6e4a35, 0xa58868, 0xcbb795, 0x3a3f30,
];
const BRIGHT = [0xd8463c, 0xe8a33a, 0xf0cf4e, 0x5ba55a, 0x3f8fc4, 0x7a5bb0, 0xe07aa0, 0x48b0a8];
const BOTTOMS = [0x1f2a44, 0x2b3a5a, 0x3d5378, 0x5b7698, 0x1c1c20, 0x26272b, 0x3f4247, 0x64676b, 0x8a7a62, 0xb9a98a, 0x4a3a2e, 0x4d5340];
const ACCENTS = [0x5a3a24, 0x1d1d20, 0x7d2b28, 0x2a3f5f, 0x3e5540, 0xb88a52, 0x8a8d92, 0xa33b52];
export const SKINS = [0xf3d3bd, 0xeac1a2, 0xdba985, 0xc68d66, 0xa8724c, 0x84563a, 0x5f3d2a, 0x452c1f];
export const HAIRS = [0x15110f, 0x241a14, 0x3a281b, 0x5a3d26, 0x7c5733, 0xa8834f, 0xb9b4ab, 0x8c8a87];

/** Somebody with this number. */
export function lookOf(id: number): Look {
  let state = hash(id);
  const draw = (): number => {
    state = hash(state + 0x9e3779b9);
    return state / 2 ** 32;
  };
  const pick = (list: number[]): number => list[Math.min(list.length - 1, Math.floor(draw() * list.length))];
  const seed = draw();
  const age = draw();
  const woman = draw() < 0.5;
  const kind: Kind = age < 0.08 ? (woman ? Kind.Girl : Kind.Boy) : age > 0.87 ? (woman ? Kind.OldWoman : Kind.OldMan) : woman ? Kind.Woman : Kind.Man;
  const child = kind === Kind.Boy || kind === Kind.Girl;
  const old = kind === Kind.OldMan || kind === Kind.OldWoman;
  // Heights: bell-shaped enough with three draws (adults' standard deviation is 7 cm).
  const bell = (draw() + draw() + draw()) / 3 - 0.5;
  const height = child ? 1.08 + 0.42 * draw() : (woman ? 1.65 : 1.78) - (old ? 0.05 : 0) + bell * 0.42;
  const build = Math.max(0, Math.min(7, Math.round((child ? 2 : old ? 3.8 : 2.8) + (draw() + draw() - 1) * 4)));
  const skin = Math.floor(draw() ** 1.6 * 8);
  const hair = old ? 6 + Math.floor(draw() * 2) : Math.floor(draw() ** 1.2 * 6);
  const style = draw();
  const hairStyle = woman ? (old ? (style < 0.5 ? 0 : style < 0.85 ? 2 : 1) : style < 0.6 ? 1 : style < 0.82 ? 2 : 0) : old && style < 0.35 ? 3 : style < 0.06 ? 3 : 0;
  const what = draw();
  const wear: Wear = woman && what < (child ? 0.35 : 0.3) ? Wear.Skirt : !child && what > 0.84 ? Wear.Coat : Wear.None;
  const carries = draw();
  const load: Load = wear === Wear.Coat ? (carries < 0.25 ? Load.Bag : Load.None) : carries < (old ? 0.06 : child ? 0.4 : 0.24) ? Load.Backpack : woman && carries < 0.5 ? Load.Bag : Load.None;
  const holds = draw();
  const prop: Prop = child ? Prop.None : holds < 0.022 ? Prop.Umbrella : holds < 0.045 && !old && load !== Load.Bag ? Prop.Pram : holds > 0.94 && !old ? Prop.Phone : Prop.None;
  const warm = draw();
  const shortSleeves = wear !== Wear.Coat && warm < (old ? 0.2 : 0.48);
  return {
    kind,
    height,
    build,
    skin,
    hair,
    hairStyle,
    wear,
    load,
    prop,
    shortSleeves,
    shorts: wear === Wear.None && warm < (child ? 0.4 : old ? 0.02 : 0.12),
    jacket: !shortSleeves && draw() < 0.5,
    top: child || draw() < 0.14 ? pick(BRIGHT) : pick(TOPS),
    bottom: wear === Wear.Skirt && draw() < 0.6 ? pick(TOPS) : pick(BOTTOMS),
    accent: pick(ACCENTS),
    seed,
  };
}

/** 23 bits: all of a look that is no colour of clothes. The shader takes them apart again. */
export function packLook(look: Look): number {
  let bits = look.kind;
  for (const [value, width] of [
    [look.build, 3],
    [look.skin, 3],
    [look.hair, 3],
    [look.hairStyle, 2],
    [look.wear, 2],
    [look.load, 2],
    [look.prop, 2],
    [Number(look.shortSleeves), 1],
    [Number(look.shorts), 1],
    [Number(look.jacket), 1],
  ] as [number, number][])
    bits = bits * 2 ** width + value;
  return bits;
}

/** Which of the impostor's bodies is most like them. */
export const BODIES: Look[] = [
  { kind: Kind.Man, wear: Wear.None, hairStyle: 0, load: Load.None },
  { kind: Kind.Woman, wear: Wear.None, hairStyle: 1, load: Load.None },
  { kind: Kind.Woman, wear: Wear.Skirt, hairStyle: 1, load: Load.None },
  { kind: Kind.Man, wear: Wear.Coat, hairStyle: 0, load: Load.None },
  { kind: Kind.Boy, wear: Wear.None, hairStyle: 0, load: Load.None },
  { kind: Kind.Man, wear: Wear.None, hairStyle: 0, load: Load.Backpack },
].map((body) => ({ height: 1.75, build: 3, skin: 0, hair: 0, prop: Prop.None, shortSleeves: false, shorts: false, jacket: false, top: 0, bottom: 0, accent: 0, seed: 0, ...body }));

export function bodyOf(look: Look): number {
  if (look.kind === Kind.Boy || look.kind === Kind.Girl) return 4;
  if (look.wear === Wear.Coat) return 3;
  if (look.wear === Wear.Skirt) return 2;
  if (look.load === Load.Backpack) return 5;
  return look.hairStyle === 1 ? 1 : 0;
}
