import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BatchedOutput } from '../../core/services/log/output.ts';
import { Segment } from '../../plugins/ledger/spool/segment.ts';

// `npm run bench:lines`: what it costs to hand the row and the line of an exchange to the operating system before the
// last byte of its response, in processor time of the main thread, and what a write costs that follows a pause.

const TURNS = 20_000;
const TIMES = 6;
const row = JSON.stringify({ row: 'x'.repeat(430) });
const line = `${JSON.stringify({ line: 'y'.repeat(770) })}\n`;
const folder = mkdtempSync(join(tmpdir(), 'koine-lines-'));
const segment = new Segment(join(folder, 'segment'));
const output = new BatchedOutput(openSync(join(folder, 'log'), 'a'), { dropped() {}, resumed() {} });

let rows: string[] = [];
const addRow = (): void => {
  if (rows.length === 0)
    setImmediate(() => {
      segment.append(rows);
      rows = [];
    });
  rows.push(row);
};
const addLine = (): void => output.write(line);

/** Processor time of a turn in us: the exchanges, and their ends in a later immediate. */
const measure = (exchange: () => void, inTurn: number, isDeferred = true): Promise<number> =>
  new Promise((resolve) => {
    let turns = 0;
    const before = process.threadCpuUsage();
    const end = (): void => {
      turns += 1;
      if (turns < TURNS) return void setImmediate(turn);
      const { user, system } = process.threadCpuUsage(before);
      resolve((user + system) / TURNS);
    };
    const turn = (): void => {
      for (let index = 0; index < inTurn; index += 1) exchange();
      if (isDeferred) setImmediate(end);
      else end();
    };
    setImmediate(turn);
  });

const both = (): void => {
  addRow();
  addLine();
};
const cases: Readonly<Record<string, readonly [exchange: () => void, inTurn: number, isDeferred?: boolean]>> = {
  'nothing, which ends at once': [() => {}, 1, false],
  'nothing, which ends in an immediate': [() => {}, 1],
  'a row': [addRow, 1],
  'a line': [addLine, 1],
  'a row and a line': [both, 1],
  'a row and a line of each of 4': [both, 4],
  'a row and a line of each of 16': [both, 16],
};
for (const [name, [exchange, inTurn, isDeferred]] of Object.entries(cases)) {
  const samples: number[] = [];
  for (let time = 0; time < TIMES; time += 1) samples.push(await measure(exchange, inTurn, isDeferred));
  console.log(`${name}: ${(Math.min(...samples) / inTurn).toFixed(1)} us`);
}

/** The middle of the times by the clock, in us. */
const middleOf = (samples: readonly number[]): string =>
  ((samples.toSorted((one, other) => one - other)[samples.length >> 1] ?? 0) * 1_000).toFixed(1);
for (const path of [join(folder, 'paced'), '/dev/null']) {
  const descriptor = openSync(path, 'a');
  const write = (): number => {
    const at = performance.now();
    writeSync(descriptor, line);
    return performance.now() - at;
  };
  const tight = Array.from({ length: TURNS }, write);
  const paced: number[] = [];
  for (let time = 0; time < 500; time += 1) {
    await delay(4);
    paced.push(write());
  }
  const name = path === '/dev/null' ? path : 'a file';
  console.log(`a write to ${name}: ${middleOf(tight)} us after another one, ${middleOf(paced)} us after 4 ms of sleep`);
}
rmSync(folder, { recursive: true });
