import { requireRedis } from '../support/servers/redis.ts';
import { lanes, type Lane } from './lanes.ts';
import { measureLanes, type Measured } from './measure.ts';
import { findExceeded, formatTable } from './table.ts';

/** Counts the cost of each lane, and compares it with `ceilings.ts`. */
const holdLanes = (held: readonly Lane[]): void => {
  let found: readonly Measured[] = [];

  before(async function () {
    this.timeout(900_000);
    found = await measureLanes(held);
    if (process.env['KOINE_SHOW_COUNTS'] !== undefined) process.stdout.write(`${formatTable(found)}\n`);
  });

  for (const { name } of held) {
    it(`one warm request stays below its ceilings: ${name}`, () => {
      const measured = found.find(({ lane }) => lane === name);
      if (measured === undefined) throw new Error('it was not measured');
      const exceeded = findExceeded(measured);
      if (exceeded.length === 0) return;
      const advice = 'ceilings.ts holds them; npm run hot-path -- --where shows the places';
      throw new Error(`${exceeded.join('; ')} (${advice})\n${formatTable(found)}`);
    });
  }
};

describe('the cost of one warm request', () => {
  holdLanes(lanes.filter(({ hasRedis }) => hasRedis === undefined));

  describe('with limits in a Redis', () => {
    before(function () {
      requireRedis(this);
    });
    holdLanes(lanes.filter(({ hasRedis }) => hasRedis === true));
  });
});
