import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** What a test file costs its process, from the end of the file before it. */
export interface FileCost {
  /** Relative to the working folder. */
  readonly file: string;
  /** CPU time of this process, with loading the file, in milliseconds. */
  readonly own: number;
  /** CPU time of the child processes that have ended since, in milliseconds. */
  readonly children: number;
  /** From the first hook to the last test, in milliseconds. */
  readonly wall: number;
}

const output = process.env['KOINE_TEST_COSTS'];
const STAT = '/proc/self/stat';
const TICK_MS = 10;

/** CPU time since the start, in milliseconds. That of children is known on Linux alone. */
const readTimes = (): { readonly own: number; readonly children: number } => {
  const { user, system } = process.cpuUsage();
  // The fields after the name, which is in parentheses and may have spaces. 13 and 14 are the times of children.
  const fields = existsSync(STAT) ? readFileSync(STAT, 'utf8').split(') ').at(-1)!.split(' ') : [];
  return { own: (user + system) / 1_000, children: TICK_MS * (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) };
};

let before = { own: 0, children: 0 };
let begun = 0;

const write = (root: Mocha.Suite): void => {
  const times = readTimes();
  const cost: FileCost = {
    file: relative(process.cwd(), root.suites[0]?.file ?? ''),
    own: Math.round(times.own - before.own),
    children: times.children - before.children,
    wall: Math.round(performance.now() - begun),
  };
  before = times;
  appendFileSync(output!, `${JSON.stringify(cost)}\n`);
};

/** With `KOINE_TEST_COSTS=FILE`, each test file of a parallel run appends a line with its cost to this file. */
export const mochaHooks =
  output === undefined
    ? {}
    : {
        beforeAll(): void {
          begun = performance.now();
        },
        afterAll(this: Mocha.Context): void {
          write(this.test!.parent!);
        },
      };
