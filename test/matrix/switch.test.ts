import { expect } from 'chai';
import { idOf } from './catalog.ts';
import { reasoning } from './cases/reasoning.ts';
import { senders } from './clients/clients.ts';
import { overPairs, startMatrix, type MatrixScene } from './matrix-scene.ts';
import { modelsOf } from './run-case.ts';
import { goodDay } from './sample-bodies.ts';
import { textOf, type VendorAnswers } from './vendors/vendors.ts';
import { modes, wires, type Json, type Mode, type Wire } from './wires.ts';

const models = modelsOf(reasoning);
/** Proofs of every vendor, and how those begin that the gateway sealed. */
const proofs = /SIG\b|HIDDEN|ENCRYPTED|U0lH|a29pbmUx/;
const thought = 'Paris or Rome?';

/** OpenAI's two wires are one vendor. */
const isSameVendor = (one: Wire, other: Wire): boolean =>
  one === other || [one, other].every((wire) => wire === 'chat' || wire === 'responses');

/**
 * A conversation with the first response of one vendor and the second of another. What only the first can read must not
 * reach the second.
 */
describe('matrix: a conversation that goes on at another vendor (E37)', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix([models]);
  });
  after(() => scene.stop());

  const ask = (client: Wire, wire: Wire, mode: Mode, answers: VendorAnswers, body: Json) => {
    scene.upstream.calls.length = 0;
    const text = textOf(wire, mode, answers);
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': mode === 'plain' ? 'application/json' : 'text/event-stream' })
        .end(text);
    return senders[client](scene.gateway.url, { ...body, model: idOf(wire, models[wire]) }, mode);
  };

  const check = async (client: Wire, first: Wire, second: Wire, mode: Mode): Promise<void> => {
    const { turn } = await ask(client, first, mode, reasoning.vendor, reasoning.request[client]);
    const answer = await ask(client, second, mode, goodDay, reasoning.next?.request[client](turn) ?? {});
    expect(answer.text).to.equal('Good day.');
    const sent = JSON.stringify(scene.upstream.calls[0]?.body);
    expect(sent).to.include('Chec').and.include('get_weather').and.include('18C');
    expect(sent).to.not.match(proofs);
    expect(sent).to.not.include(thought);
  };

  overPairs((client, first, pair) =>
    wires
      .filter((second) => !isSameVendor(first, second))
      .flatMap((second) =>
        modes.map((mode) => ({
          title: `continues at another vendor: ${pair}, then ${second}, ${mode}`,
          run: () => check(client, first, second, mode),
        })),
      ),
  );
});
