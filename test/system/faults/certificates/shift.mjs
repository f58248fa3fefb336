// Loaded before muster: JavaScript's clock, off by so many milliseconds. TLS itself goes by the machine's.
const shift = Number(process.env['CLOCK_SHIFT_MS']);
const now = Date.now;

globalThis.Date = class extends Date {
  constructor(...values) {
    if (values.length === 0) super(now() + shift);
    else super(...values);
  }

  static now() {
    return now() + shift;
  }
};
