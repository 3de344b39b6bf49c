/**
 * Loaded into a container before its bundle (`NODE_OPTIONS=--import`): puts its clock off by CLOCK_OFFSET_MS, as that
 * of a machine can be.
 */
const offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  static override now(): number {
    return RealDate.now() + offset;
  }

  constructor(...given: []) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }
} as DateConstructor;
