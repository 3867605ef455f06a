const HOUR = 3_600_000;
/** An hour ahead, an hour behind, and right again: each SIGUSR2 selects the next. */
const shifts = [0, HOUR, -HOUR];

const { now } = Date;
let at = 0;
Date.now = () => now() + shifts[at % shifts.length];
globalThis.Date = new Proxy(Date, {
  construct: (date, words) => Reflect.construct(date, words.length === 0 ? [Date.now()] : words),
});
process.on('SIGUSR2', () => (at += 1));
