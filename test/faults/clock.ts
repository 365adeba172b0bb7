// The clock fault loads this into a process to shift its Date by some milliseconds.
const shiftMs = Number(process.env.TRADEPOST_CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...values: [] | [number | string | Date]) {
    if (values.length === 0) super(RealDate.now() + shiftMs);
    else super(...(values as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
