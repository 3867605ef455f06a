import { expect } from 'chai';
import type { LogReport } from '../../tools/soak/access-log.ts';
import type { Tally } from '../../tools/soak/clients.ts';
import type { Sample } from '../../tools/soak/sample.ts';
import { judge, type Facts } from '../../tools/soak/verdict.ts';

const sampleAt = (at: number, more: Partial<Sample> = {}): Sample => ({
  at,
  exchanges: 0,
  rss: 200e6,
  heap: 50e6,
  external: 10e6,
  descriptors: 20,
  upstream: 0,
  inFlight: 0,
  lag: 20,
  ...more,
});
const samplesOf = (more: (index: number) => Partial<Sample>): readonly Sample[] =>
  Array.from({ length: 40 }, (_, index) => sampleAt(index * 10, more(index)));
const tally: Tally = {
  sent: ['a-0', 'a-1'],
  answered: new Map([
    ['a-0', 200],
    ['a-1', 200],
  ]),
  aborted: 0,
  broken: 0,
  lost: [],
};
const log: LogReport = {
  lines: new Map([
    ['a-0', 1],
    ['a-1', 1],
    ['warm-0', 1],
  ]),
  outcomes: new Map(),
  endings: new Map(),
  attempts: 2,
  called: 2,
  shed: 0,
  gatewayFaults: [],
};
/** The heap goes up and down by 2 %, as heaps do. */
const facts: Facts = {
  before: sampleAt(0),
  samples: samplesOf((index) => ({ heap: 50e6 + (index % 3) * 1e6 })),
  after: sampleAt(400),
  tally,
  log,
  ledger: { settled: 2, open: 0 },
  stderr: 'koine serves here\n',
  exitCode: 0,
};
const badOf = (more: Partial<Facts>): readonly string[] =>
  judge({ ...facts, ...more })
    .filter(({ good }) => !good)
    .map(({ name }) => name);

describe('the verdict on a soak', () => {
  it('reports no problem for a gateway that stays the same', () => {
    expect(badOf({})).to.deep.equal([]);
  });

  const faults: readonly (readonly [what: string, found: string, more: Partial<Facts>])[] = [
    [
      'a heap that grows by a fiftieth a minute',
      'heap',
      { samples: samplesOf((index) => ({ heap: 50e6 * (1 + index / 300) })) },
    ],
    [
      'a process that grows beside its heap',
      'memory of the process',
      { samples: samplesOf((index) => ({ rss: 200e6 * (1 + index / 100) })) },
    ],
    ['a descriptor that stays open', 'descriptors', { after: sampleAt(400, { descriptors: 21 }) }],
    ['a connection that is idle', 'connections to upstreams', { after: sampleAt(400, { upstream: 1 }) }],
    ['an exchange that never ended', 'in flight', { after: sampleAt(400, { inFlight: 1 }) }],
    [
      'an exchange without a line',
      'one line in the access log for each exchange',
      { log: { ...log, lines: new Map([['a-0', 1]]) } },
    ],
    [
      'an exchange with two lines',
      'one line in the access log for each exchange',
      {
        log: {
          ...log,
          lines: new Map([
            ['a-0', 2],
            ['a-1', 1],
          ]),
        },
      },
    ],
    [
      'an exchange without a row in the ledger',
      'a settled row of the ledger for each exchange that called a provider',
      { ledger: { settled: 1, open: 0 } },
    ],
    [
      'a row that stays open',
      'a settled row of the ledger for each exchange that called a provider',
      { ledger: { settled: 2, open: 1 } },
    ],
    [
      'a client without a response',
      'a response for each client',
      { tally: { ...tally, lost: ['a-1: socket hang up'] } },
    ],
    [
      'a 500 that a client received',
      'no fault of the gateway',
      {
        tally: {
          ...tally,
          answered: new Map([
            ['a-0', 200],
            ['a-1', 500],
          ]),
        },
      },
    ],
    ['a fault of the gateway in the log', 'no fault of the gateway', { log: { ...log, gatewayFaults: ['{}'] } }],
    [
      'a warning of Node',
      'no warning',
      { stderr: '(node:7) MaxListenersExceededWarning: Possible EventEmitter memory leak detected.' },
    ],
    ['an end that had to be forced', 'a clean end', { exitCode: null }],
  ];
  for (const [what, found, more] of faults) it(`reports ${what}`, () => expect(badOf(more)).to.deep.equal([found]));

  it('does not judge the memory of a short run, and reports that it is not judged', () => {
    const short = judge({ ...facts, samples: samplesOf((index) => ({ at: index, heap: 50e6 * (index + 1) })) });
    expect(short.find(({ name }) => name === 'heap'))
      .to.deep.include({ good: true })
      .and.to.have.property('detail')
      .that.includes('not judged');
  });
});
