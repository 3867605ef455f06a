import { expect } from 'chai';
import { countStatuses } from '../../tools/soak/clients.ts';
import { faults } from '../../tools/soak/faults.ts';
import { soak, type SoakReport } from '../../tools/soak/soak.ts';
import { judge } from '../../tools/soak/verdict.ts';

const endings = ['complete', 'truncated', 'upstream_reset', 'idle_timeout', 'upstream_error_event', 'client_closed'];

describe('a soak of a few seconds', function () {
  this.timeout(120_000);
  let report: SoakReport;
  before(async () => {
    report = await soak({
      seconds: 4,
      isEnough: (log) => endings.every((ending) => log.endings.has(ending)),
      streams: 24,
      faults: 0.3,
      pace: { pieces: 5, every: 100 },
      sampleEvery: 1,
      onSample: () => {},
    });
  });

  it('the gateway retains and loses nothing in a soak of a few seconds', () => {
    const bad = judge(report).filter(({ good }) => !good);
    expect(bad.map(({ name, detail }) => `${name}: ${detail}`)).to.deep.equal([]);
  });
  it('the soak run covers everything that it is made for', () => {
    const statuses = countStatuses(report.tally);
    const { tally, faultCounts, log, samples } = report;
    for (const { name } of faults) expect(faultCounts.get(name) ?? 0, name).to.be.greaterThan(0);
    expect(tally.aborted).to.be.greaterThan(0);
    expect(statuses.get(200) ?? 0).to.be.greaterThan(0);
    expect(statuses.get(429) ?? 0, 'refused by a limit').to.be.greaterThan(0);
    expect(log.attempts, 'second tries').to.be.greaterThan(log.lines.size);
    expect([...log.endings.keys()]).to.include.members(endings);
    expect(Math.max(...samples.map(({ inFlight }) => inFlight))).to.be.greaterThan(0);
    expect(Math.min(...samples.map(({ heap, rss }) => Math.min(heap, rss)))).to.be.greaterThan(1_000_000);
  });
});
