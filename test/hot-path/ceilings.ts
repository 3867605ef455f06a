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
 * The lane that translates has four functions in two files more, and embeddings two: schemas are written in the dialect
 * of the target, and operations are declared in a table.
 * Raised on 2026-11-28 by 42 calls and seven functions on the lane that translates. It had been counted at 1,427 calls
 * when its ceiling of 1,430 was set, so without the slack of the other lanes, and failed in some runs.
 * Raised on 2026-11-29 by three to seven functions: the rules for forms and for units that bill a whole call are some,
 * and counts vary by up to six between runs. A busy machine delivers streams in other pieces: an event had 41.5 calls.
 * Raised on 2026-11-29 by 215 calls, 12 functions and 6,500 bytes where limits are counted without Redis: they are
 * counted in words of shared memory, which are read and changed by functions of one line. V8 inlines them once their
 * callers are optimized, and then allocates no numbers. With workers this replaces two messages between threads.
 * Raised by two to five functions of one or two files: a query each second shows whether organizations of the database
 * have changed, and a report twice a second copies what an exchange was admitted with. Calls of a request are below
 * their ceilings. Also where limits are counted in Redis, and with every plugin; streams vary by half a promise.
 * Since 2026-11-29 a ceiling holds the lowest of three rounds. Streams had 611 functions when their ceiling was 611,
 * and an event is a difference of two counts: both have the slack of the other lanes now.
 * With limits in Redis, a settlement follows its row: three asynchronous resources more, of which one is a promise.
 * Functions without a name were counted under one key per file, so that one of a timer hid those of requests in some
 * rounds, and a round without it was above the ceiling. All are counted now: four to nine functions and a file more.
 * Raised on 2026-11-30 by ten functions and two files: what a request holds is counted for all workers of the host, and
 * the memory of a body in a file of its own. They are about twenty calls of a few nanoseconds.
 * Raised on 2026-12-01 by one file where requests are governed: annotations are joined, and a body of a 200 is read, by
 * functions that others call as well.
 * Since then, functions and files leave out what also runs without requests: on a slow machine, timers run more often
 * than there are requests.
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
    functions: 375,
    files: 117,
    calls: 619,
    bytes: 82898,
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
    functions: 546,
    files: 156,
    calls: 1318.2,
    bytes: 120843,
  },
  translated: {
    asyncResources: 37.5,
    promises: 21.4,
    timers: 3.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 4.2,
    requestParses: 1,
    answerParses: 1,
    functions: 696,
    files: 193,
    calls: 1633.7,
    bytes: 152576,
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
    functions: 528,
    files: 144,
    calls: 1183.5,
    bytes: 115628,
  },
  stream: {
    asyncResources: 55.5,
    promises: 23.2,
    timers: 3.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 4.4,
    requestParses: 1,
    answerParses: 1,
    functions: 632,
    files: 162,
    calls: 1801.8,
    bytes: 159965,
  },
  'stream event': {
    asyncResources: 4.3,
    promises: 0.2,
    timers: 0.1,
    answerParses: 0,
    calls: 43,
    bytes: 7500,
  },
  redis: {
    asyncResources: 77.2,
    promises: 54.6,
    timers: 7.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 2.1,
    sqlStatements: 4.2,
    requestParses: 1,
    answerParses: 1,
    functions: 530,
    files: 150,
    calls: 1068.5,
    bytes: 147655,
  },
  everything: {
    asyncResources: 38.5,
    promises: 22,
    timers: 3.7,
    upstreamRoundTrips: 1,
    redisRoundTrips: 0,
    sqlStatements: 4.2,
    requestParses: 1,
    answerParses: 1,
    functions: 623,
    files: 181,
    calls: 1459.6,
    bytes: 126667,
  },
};
