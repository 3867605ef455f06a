import { expect } from 'chai';
import { lateFaults } from './after-content.ts';
import { earlyFaults } from './before-content.ts';
import { expectEarly } from './expect-early.ts';
import { expectLate } from './expect-late.ts';
import { exchangesOf, holdInvariants } from './invariants.ts';
import { modelOf } from './models.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';
import { answerWell } from './upstream/answers.ts';

/** One of each kind: everything else is the same code in another process. */
overBoth('two workers', (security) => {
  let scene: FaultScene;
  before(async function () {
    this.timeout(60_000);
    scene = await startFaultScene({ security, workers: 2 });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  for (const fault of earlyFaults.filter(({ pace, mode }) => pace === undefined && mode !== 'streamed')) {
    it(`row ${fault.row}: ${fault.name} is ${fault.code}`, () => expectEarly(scene, fault, 'chat', 'chat', 'plain'));
  }
  for (const fault of lateFaults) {
    it(`row ${fault.row}: ${fault.name} ends as ${fault.ending}`, () => expectLate(scene, fault, 'messages', 'messages'));
  }

  it('share the work, and are as good as new', async () => {
    scene.upstream.script = answerWell('chat', 'streamed');
    const replies = await Promise.all(Array.from({ length: 20 }, () => scene.call('chat', modelOf('chat'), true)));
    expect(replies.filter(({ status, text }) => status === 200 && text.endsWith('data: [DONE]\n\n'))).to.have.length(20);
    await holdInvariants(scene);
    expect(new Set(exchangesOf(scene).map(({ worker }) => worker)).size).to.equal(2);
  });
});
