import { expect } from 'chai';
import { startThread, type WorkerExit } from '../../../../core/server/primary/worker-thread.ts';
import type { PackedGeneration } from '../../../../core/server/link/messages.ts';

const program = new URL('../../../fixtures/threads/blocks-at-once.ts', import.meta.url);

describe('a worker thread', function () {
  this.timeout(120_000);

  it('is terminated when its event loop is blocked before its first turn', async () => {
    const served = Promise.withResolvers<string>();
    const gone = Promise.withResolvers<WorkerExit>();
    const events = { serving: served.resolve, prepared: () => {}, retired: () => {}, gone: gone.resolve };
    const packed = { generation: 1, config: {} } as PackedGeneration;
    startThread(
      program,
      { worker: 1, port: 0, place: 0, hostLoad: new SharedArrayBuffer(0) },
      packed,
      () => undefined,
      events,
      undefined,
    );
    expect(await served.promise).to.equal('http://127.0.0.1');
    expect((await gone.promise).reason).to.equal('stalled');
  });
});
