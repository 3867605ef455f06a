/** The measures, in the order of the table. `slack`: how much a count can vary between runs. */
const slacks = {
  asyncResources: 5,
  promises: 4,
  timers: 0.6,
  upstreamRoundTrips: 0,
  redisRoundTrips: 0.15,
  // Depends on how often the ledger flushes during 50 requests: a slow machine flushes more often.
  sqlStatements: 4,
  requestParses: 0,
  answerParses: 0,
  functions: 12,
  files: 3,
  calls: 40,
  // Of the main thread's heap, as code that is not optimized allocates them; without buffers outside of the heap.
  bytes: 5_000,
} as const;

export type Measure = keyof typeof slacks;
export const measures = Object.keys(slacks) as readonly Measure[];

/** The cost of one warm request, or of one event of a stream. */
export type Counts = Readonly<Partial<Record<Measure, number>>>;

/** @param events the number of events that share the variation between runs; 1 for requests */
export const ceilingFor = (measure: Measure, count: number, events: number): number =>
  count === 0 ? 0 : Math.ceil((count + slacks[measure] / events) * 10) / 10;

/** The lower count of each measure. */
export const lowestOf = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(
    measures.flatMap((measure) => {
      const counts = [one[measure], other[measure]].filter((count) => count !== undefined);
      return counts.length === 0 ? [] : [[measure, Math.min(...counts)] as const];
    }),
  );

/** All other measures are per request. */
const ofEvents: readonly Measure[] = ['asyncResources', 'promises', 'timers', 'answerParses', 'calls', 'bytes'];
/** The cost of each further event, as the difference of two streams. */
export const perEvent = (short: Counts, long: Counts, events: number): Counts =>
  Object.fromEntries(
    ofEvents.map((measure) => [measure, ((long[measure] ?? 0) - (short[measure] ?? 0)) / events] as const),
  );
