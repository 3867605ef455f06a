import { expect } from 'chai';
import { createOverload } from '../../../../core/exchange/overload/overload.ts';
import type { UploadHold } from '../../../../core/exchange/client-connection.ts';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';
import { GatewayError } from '../../../../core/api/index.ts';
import { createTestLog } from '../../../../core/testing/index.ts';

describe('overload protection: uploads', () => {
  const limits = { inFlight: 100, lag: 500, memory: 4_000, steps: 1_000_000, uploads: 20, disk: 10_000, perKey: 0.9 };
  const start = (given: Partial<typeof limits> = {}) => {
    const metrics = createMetrics();
    const overload = createOverload({ ...limits, ...given }, createTestLog(), metrics, () => 0);
    const figures = async (name: string): Promise<object> => {
      const series = (await metrics.snapshot()).find((metric) => metric.name === name)?.series ?? [];
      return Object.fromEntries(series.map(({ labels, figures: [figure] }) => [labels['reason'] ?? 'all', figure]));
    };
    const open = (key: string): UploadHold =>
      overload.openUpload({ key, project: 'web', organization: 'acme', models: [] });
    return { overload, open, figures };
  };
  const errorOf = (run: () => unknown): GatewayError | undefined => {
    try {
      run();
      return undefined;
    } catch (thrown) {
      if (GatewayError.is(thrown)) return thrown;
      throw thrown;
    }
  };
  /** Opens uploads of a key until one is refused. */
  const fill = (open: (key: string) => UploadHold, key: string) => {
    const held: UploadHold[] = [];
    const refused = errorOf(() => {
      for (;;) held.push(open(key));
    });
    return { held, refused };
  };

  it('leaves uploads for other keys, and gives them back when they are released', async () => {
    const { open, figures } = start({ uploads: 100 });
    const first = fill(open, 'a');
    expect(first.held).to.have.length(91);
    expect(first.refused).to.include({ code: 'rate_limit_exceeded', status: 429, publicRetrySeconds: 1 });
    expect(first.refused?.message).to.include('too many open uploads').and.include('server.overload.perKey');
    expect(fill(open, 'b').held).to.have.length(9);
    const last = fill(open, 'c');
    expect(last.held).to.have.length(0);
    expect(last.refused).to.include({ code: 'overloaded', status: 503, publicRetrySeconds: 1 });
    expect(last.refused?.message).to.include('server.overload.uploads');
    for (const hold of first.held) hold.release();
    expect(fill(open, 'c').held).to.have.length(82);
    expect(await figures('koine_shed_total')).to.include({ key_uploads: 2, uploads: 2 });
  });

  it('counts bytes on disk in all and per key, until an upload is released', async () => {
    const { open, figures } = start();
    const [one, two] = [open('a'), open('b')];
    one.store(4_000);
    one.store(5_000);
    expect(errorOf(() => one.store(1))).to.include({ code: 'request_too_large', status: 413 });
    expect(errorOf(() => open('a').store(1))).to.include({ code: 'rate_limit_exceeded', status: 429 });
    two.store(900);
    expect(errorOf(() => two.store(101))).to.include({ code: 'overloaded', status: 503 });
    expect(await figures('koine_upload_disk_bytes')).to.deep.equal({ all: 9_900 });
    expect(await figures('koine_shed_total')).to.include({ disk: 1, key_disk: 1 });
    one.release();
    two.store(5_000);
    two.release();
    expect(await figures('koine_upload_disk_bytes')).to.deep.equal({ all: 0 });
    open('a').store(9_000);
  });

  it('counts nothing that arrives after a release', async () => {
    const { open, figures } = start();
    const one = open('a');
    one.release();
    one.store(5_000);
    expect(await figures('koine_upload_disk_bytes')).to.deep.equal({ all: 0 });
  });

  it('takes its limits from a reload on', () => {
    const { overload, open } = start({ uploads: 1 });
    open('a');
    expect(errorOf(() => open('b'))).to.include({ code: 'overloaded' });
    overload.adopt({ ...limits, uploads: 3 });
    open('b');
  });
});
