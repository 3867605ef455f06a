import { createHook } from 'node:async_hooks';
import { Session } from 'node:inspector/promises';
import { StatementSync, DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { ANSWER_MARK, REQUEST_MARK } from '../../tools/bench/load/requests.ts';
import type { Begin, Calls, Events, Places } from './messages.ts';

// Loaded into the process of a gateway before its own code (node --import), and into its threads. The parent process
// sends over IPC when to begin and when to end counting.

const root = new URL('../../', import.meta.url).href;
const SOURCES = /^(?:core|providers|plugins)\//;

/** Counted in every thread, so that the ledger's statements are seen. */
const SHARED = 'koine hot path';
const shared = isMainThread ? new Int32Array(new SharedArrayBuffer(4)) : (getEnvironmentData(SHARED) as Int32Array);
if (isMainThread) setEnvironmentData(SHARED, shared);

type Method = (this: unknown, ...given: unknown[]) => unknown;
const countStatements = (prototype: object, names: readonly string[]): void => {
  const methods = prototype as Record<string, Method>;
  for (const name of names) {
    const original = methods[name];
    if (original === undefined) throw new Error(`node:sqlite has no ${name}`);
    methods[name] = function counted(...given) {
      Atomics.add(shared, 0, 1);
      return original.apply(this, given);
    };
  }
};
countStatements(StatementSync.prototype, ['all', 'get', 'iterate', 'run']);
countStatements(DatabaseSync.prototype, ['exec']);

const parses = { request: 0, answer: 0 };
JSON.parse = new Proxy(JSON.parse, {
  apply: (parse, self, given: Parameters<typeof JSON.parse>): unknown => {
    const text = String(given[0]);
    if (text.includes(REQUEST_MARK)) parses.request += 1;
    if (text.includes(ANSWER_MARK)) parses.answer += 1;
    return Reflect.apply(parse, self, given) as unknown;
  },
});

/** The place in the project that creates a resource, else the package or the module of Node. */
const readPlace = (stack: string): string => {
  // Without the frames of this hook, and without those that only await the one above them.
  const lines = stack.split('\n').filter((line) => !line.includes('/hot-path/preload.ts'));
  const frames = lines.filter((line) => /^ +at (?!async )/.test(line));
  for (const frame of frames) {
    const [, caller = '', path = '', line] = /^ +at (?:(.+) \()?(\S+?):(\d+):\d+\)?$/.exec(frame) ?? [];
    const file = path.startsWith(root) ? path.slice(root.length) : '';
    if (SOURCES.test(file)) return `${file}:${line} ${caller}`;
  }
  const others = frames.map(
    (frame) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(frame)?.[1] ?? /\b(node:[\w/]+)/.exec(frame)?.[1],
  );
  return others.find((name) => name !== undefined && !/async_hooks|promise_hooks/.test(name)) ?? 'nowhere';
};

let isPlacing = false;
const byType = new Map<string, number>();
const byPlace = new Map<string, number>();
const bump = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1);
const hook = createHook({
  init: (_id, type) => {
    bump(byType, type);
    if (isPlacing) bump(byPlace, `${type} ${readPlace(new Error('place').stack ?? '')}`);
  },
});

const beginEvents = (): void => {
  byType.clear();
  byPlace.clear();
  parses.request = 0;
  parses.answer = 0;
  Atomics.store(shared, 0, 0);
  hook.enable();
};
const endEvents = (): Events => {
  hook.disable();
  return { resources: [...byType], statements: Atomics.load(shared, 0), parses: { ...parses } };
};

/** Like test/doubling/calls-made.ts, but for whole functions: how often each was called. */
let session: Session | undefined;
const beginCalls = async (): Promise<void> => {
  // Counting calls discards optimized code. There is none from now on, so that the bytes that are counted later do not
  // depend on what the machine has had time to optimize.
  setFlagsFromString('--no-opt');
  setFlagsFromString('--no-maglev');
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
};
const endCalls = async (): Promise<Calls> => {
  if (session === undefined) throw new Error('no calls are counted');
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const own = result.filter(({ url }) => url.startsWith(root) && SOURCES.test(url.slice(root.length)));
  return own.flatMap(({ url, functions }) => {
    const file = url.slice(root.length);
    // Functions that did not run are listed beside those that did.
    return functions.flatMap(({ functionName: name, ranges: [range] }) =>
      range === undefined || range.count === 0 ? [] : [{ file, name, at: range.startOffset, count: range.count }],
    );
  });
};

let heapBefore = 0;
const beginBytes = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  heapBefore = process.memoryUsage().heapUsed;
};
const endBytes = (): number => process.memoryUsage().heapUsed - heapBefore;

const begin = async ({ what }: Begin): Promise<void> => {
  if (what === 'bytes') return beginBytes();
  isPlacing = what === 'places';
  if (isPlacing) Error.stackTraceLimit = 40;
  if (what === 'calls') await beginCalls();
  else beginEvents();
};
const end = async ({ what }: Begin): Promise<Events | Calls | Places | number> => {
  if (what === 'bytes') return endBytes();
  if (what === 'calls') return endCalls();
  const events = endEvents();
  return what === 'places' ? [...byPlace] : events;
};

if (isMainThread) {
  process.on('message', (message: Begin & { readonly hotPath?: 'begin' | 'end' }) => {
    if (message.hotPath === 'begin') void begin(message).then(() => process.send?.({ hotPath: 'begun' }));
    if (message.hotPath === 'end') void end(message).then((found) => process.send?.({ hotPath: 'ended', found }));
  });
}
