/** What is counted, in the order of the table. `slack`: how much more a run may count than the one before. */
const slacks = {
  asyncResources: 5,
  promises: 4,
  timers: 0.6,
  upstreamRoundTrips: 0,
  redisRoundTrips: 0.15,
  // By how often the ledger flushes while 50 requests run: a slow machine flushes more often.
  sqlStatements: 4,
  requestParses: 0,
  answerParses: 0,
  functions: 6,
  files: 2,
  calls: 40,
} as const;

export type Measure = keyof typeof slacks;
export const measures = Object.keys(slacks) as readonly Measure[];

/** What one warm request costs, or one event of a stream. */
export type Counts = Readonly<Partial<Record<Measure, number>>>;

/** @param events how many events share what varies between runs; 1 for requests */
export const ceilingFor = (measure: Measure, count: number, events: number): number =>
  count === 0 ? 0 : Math.ceil((count + slacks[measure] / events) * 10) / 10;

/** Other measures are those of a request as a whole. */
const ofEvents: readonly Measure[] = ['asyncResources', 'promises', 'timers', 'answerParses', 'calls'];
/** What each further event of a stream costs, by two streams. */
export const perEvent = (short: Counts, long: Counts, events: number): Counts =>
  Object.fromEntries(
    ofEvents.map((measure) => [measure, ((long[measure] ?? 0) - (short[measure] ?? 0)) / events] as const),
  );
