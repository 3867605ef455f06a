import { expect } from 'chai';
import { errorFrames, goodEnds } from '../../matrix/clients/raw-stream.ts';
import { firstHalf } from '../../matrix/vendors/breaks.ts';
import type { Wire } from '../../matrix/wires.ts';
import type { LateFault } from '../after-content.ts';
import { lineOf } from './invariants.ts';
import { modelOf } from '../models.ts';
import type { FaultScene } from '../scene.ts';

/**
 * The client has the content, one error in its own wire and no good end; the log has the reason; what was sent is
 * billed; nothing is retried.
 */
export const expectLate = async (
  scene: FaultScene,
  { script, code, ending, pace }: LateFault,
  client: Wire,
  vendor: Wire,
): Promise<void> => {
  const word = scene.upstream.play(() => script(vendor));
  const reply = await scene.call(client, modelOf(vendor, pace), true, word);
  expect(reply.status).to.equal(200);
  expect(reply.text).to.include(firstHalf).and.to.not.match(goodEnds[client]);
  expect(reply.text.match(errorFrames[client]) ?? [], reply.text).to.have.length(1);
  expect(reply.text).to.match(/\n\n$/);
  const line = await lineOf(scene, reply);
  expect(line).to.include({ status: 200, code, ending, tokens_estimated: true });
  expect(line['tokens_out'], 'what was shown is billed').to.be.greaterThan(0);
  expect(line['cost_micro']).to.be.greaterThan(0);
  expect(line['attempts']).to.have.length(1);
  expect(scene.upstream.requestsWith(word), 'nothing is tried again').to.have.length(1);
};
