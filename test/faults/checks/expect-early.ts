import { expect } from 'chai';
import { errorCodes } from '../../../core/errors/codes.ts';
import type { Mode, Wire } from '../../matrix/wires.ts';
import type { EarlyFault } from '../before-content.ts';
import { lineOf } from './invariants.ts';
import { modelOf } from '../models.ts';
import type { FaultScene } from '../scene.ts';

/**
 * The fault is the whole response for a client of chat-completions: a status, an error in its wire, nothing of what the
 * upstream sent, and one call.
 */
export const expectEarly = async (
  scene: FaultScene,
  { script, code, failure, status, pace }: EarlyFault,
  client: Wire,
  vendor: Wire,
  mode: Mode,
): Promise<void> => {
  const word = scene.upstream.play(() => script(vendor, mode));
  const reply = await scene.call(client, modelOf(vendor, pace), mode === 'streamed', word);
  expect(reply.status, reply.text).to.equal(errorCodes[code].status);
  expect(reply.headers['content-type']).to.match(/^application\/json/);
  expect(reply.text, 'nothing of what the upstream said').to.not.match(/Welcome|It works|stolen/);
  expect(JSON.parse(reply.text)).to.have.nested.property('error.message').that.is.a('string');
  const line = await lineOf(scene, reply);
  expect(line).to.include({ status: errorCodes[code].status, code }).and.to.not.have.property('ending');
  const attempts = line['attempts'] as readonly object[];
  expect(attempts).to.have.length(1);
  expect(attempts[0]).to.include({ failure, status }).and.to.not.have.property('lane');
  // A request on a kept connection that was closed is sent once more (row 4).
  const calls = scene.upstream.requestsWith(word);
  expect(
    calls.filter(({ before }, index) => before === 0 || index === calls.length - 1),
    'it is called once',
  ).to.have.length(1);
};
