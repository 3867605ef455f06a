import type { Counts } from './counts.ts';

/**
 * The ceilings of one warm request on each lane. `npm run hot-path -- --write` lowers them to the current counts, with
 * some slack where a count varies between runs. Raise one only here, by hand, and give the reason in the commit
 * message.
 *
 * Raised on 2026-11-27 by 14 to 31 calls, two immediates and the functions of the spool: the row and the log line of
 * an exchange are handed to the operating system before its response ends, in its turn of the event loop, and not with
 * those of 100 ms. It costs about 2 us under load (core/decisions/2026-11-27-answers-after-their-rows.md).
 * Each process looks for background responses every 3 s, which the lane without a ledger counts as a share of a
 * statement (core/decisions/2026-11-27-background-responses.md). Streams have one function more for it; with Redis, the
 * budgets of a process that has died have three.
 * The lane with Redis had been 14 calls above its ceiling before that. One function more writes the headers with the
 * last byte.
 */
export const ceilings: Readonly<Record<string, Counts>> = {
  ungoverned: {
    asyncResources: 33.2,
    promises: 17.1,
    timers: 3.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 0.2,
    requestParses: 1,
    answerParses: 1,
    functions: 409,
    files: 124,
    calls: 912.9,
  },
  governed: {
    asyncResources: 33.3,
    promises: 17.3,
    timers: 3.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 4.2,
    requestParses: 1,
    answerParses: 1,
    functions: 570,
    files: 162,
    calls: 1440.8,
  },
  translated: {
    asyncResources: 37.5,
    promises: 21.4,
    timers: 3.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 4.4,
    requestParses: 1,
    answerParses: 1,
    functions: 647,
    files: 186,
    calls: 1430.6,
  },
  embeddings: {
    asyncResources: 33.5,
    promises: 17.4,
    timers: 3.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 4.2,
    requestParses: 1,
    answerParses: 0,
    functions: 480,
    files: 139,
    calls: 996.4,
  },
  stream: {
    asyncResources: 55.5,
    promises: 22.4,
    timers: 3.8,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 4.5,
    requestParses: 1,
    answerParses: 1,
    functions: 642,
    files: 168,
    calls: 1933.9,
  },
  'stream event': {
    asyncResources: 4.3,
    promises: 0.2,
    timers: 0.1,
    answerParses: 0,
    calls: 40.7,
  },
  redis: {
    asyncResources: 74.2,
    promises: 53.6,
    timers: 8,
    upstreamRoundTrips: 1,
    redisRoundTrips: 2.1,
    sqlStatements: 4.6,
    requestParses: 1,
    answerParses: 1,
    functions: 550,
    files: 156,
    calls: 1325.8,
  },
  everything: {
    asyncResources: 37.5,
    promises: 21.4,
    timers: 3.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 4.4,
    requestParses: 1,
    answerParses: 1,
    functions: 650,
    files: 189,
    calls: 1585.5,
  },
};
