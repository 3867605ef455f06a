import { expect } from 'chai';
import { createTestClock, settingsOf } from '../setup.ts';
import { until } from '../../../support/until.ts';
import { FleetHealth } from '../../../../plugins/failover/admin/fleet-health.ts';
import type { PrimaryMessage } from '../../../../plugins/failover/admin/messages.ts';
import { HealthRegistry } from '../../../../plugins/failover/health/health-registry.ts';
import { shareLatencies } from '../../../../plugins/failover/health/share-latencies.ts';

const SECOND = 1_000;
const target = { id: 'hub/talk' };

describe('what workers learn about the time of a target', () => {
  const createHost = () => {
    const fleet = new FleetHealth();
    /** @param startedAt what the monotonic clock of the thread began at */
    const createThread = (startedAt: number, call = (message: PrimaryMessage): unknown => handle(message)) => {
      const { now, monotonic, advance } = createTestClock();
      const clock = { now, monotonic: () => monotonic() - startedAt, advance };
      const registry = new HealthRegistry(settingsOf().circuit, () => 0.5);
      const asked: string[] = [];
      const primary = {
        call: async (message: unknown) => {
          asked.push((message as PrimaryMessage).call);
          return call(message as PrimaryMessage);
        },
      };
      shareLatencies(registry, primary, clock);
      return { clock, registry, asked, latency: registry.latency(target, 'generate') };
    };
    const handle = (message: PrimaryMessage): unknown =>
      message.call === 'latency' ? fleet.latency(message.key) : undefined;
    return { createThread };
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('all of them know, also a new one, whenever its clock began', async () => {
    const { createThread } = createHost();
    const [one, other] = [createThread(0), createThread(4_000_000)];
    await settle();
    one.latency.add(one.clock.monotonic(), 800);
    expect(other.latency.usual).to.equal(800);
    expect(other.latency.read(other.clock.monotonic())).to.equal(800);
    other.clock.advance(30 * SECOND);
    expect(other.latency.read(other.clock.monotonic())).to.equal(400);
    const late = createThread(5_000_000);
    await until('it knows', () => late.latency.usual === 800);
    for (let count = 0; count < 25; count += 1)
      for (const { latency, clock } of [one, other]) latency.add(clock.monotonic(), 100 + count);
    expect([one, other, late].map(({ latency }) => latency.quantile)).to.deep.equal([124, 124, 124]);
    expect(one.asked, 'once for a target').to.deep.equal(['latency']);
  });

  it('what a worker has learnt before it gets the memory is kept, if the others know nothing', async () => {
    const { createThread } = createHost();
    const one = createThread(0);
    one.latency.add(one.clock.monotonic(), 300);
    await settle();
    const other = createThread(1_000);
    other.latency.add(other.clock.monotonic(), 9_000);
    await settle();
    expect([one.latency.usual, other.latency.usual]).to.deep.equal([300, 300]);
    expect(other.latency.read(other.clock.monotonic())).to.equal(300);
  });

  it('of several silent attempts in a row, only the first counts, whichever worker had it', async () => {
    const { createThread } = createHost();
    const [one, other] = [createThread(0), createThread(0)];
    await settle();
    for (let count = 0; count < 49; count += 1) one.latency.add(one.clock.monotonic(), 100);
    one.latency.addEnded(5_000);
    expect(one.latency.quantile).to.equal(100);
    for (let count = 0; count < 20; count += 1) other.latency.addEnded(5_000);
    expect(other.latency.quantile).to.equal(100);
  });

  it('a worker whose question fails learns alone', async () => {
    const { createThread } = createHost();
    const alone = createThread(0, () => {
      throw new Error('the primary instance is gone');
    });
    await settle();
    alone.latency.add(alone.clock.monotonic(), 200);
    expect(alone.latency.usual).to.equal(200);
  });
});
