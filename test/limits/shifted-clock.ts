const HOUR = 3_600_000;
/** An hour ahead, an hour behind, and right again: the next with every SIGUSR2. */
const shifts: readonly number[] = [0, HOUR, -HOUR];

const { now } = Date;
let at = 0;
Date.now = () => now() + shifts[at % shifts.length]!;
process.on('SIGUSR2', () => (at += 1));
