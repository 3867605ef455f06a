import { expect } from 'chai';
import { greet, headOf, pathOf } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { idOf } from '../matrix/catalog.ts';
import { wires, type Json, type Wire } from '../matrix/wires.ts';
import { startCountedGateway, type CountedGateway } from './counted-gateway.ts';
import { growthsOf } from './grow.ts';
import { groupsOf, measureGroup } from './measure.ts';
import { pairedGrowths, richRequests, structuredRequests } from './rich-requests.ts';

/** Work is linear in the length of a request, whatever a client makes long. */
describe('a request that is twice as long', () => {
  let gateway: CountedGateway;
  before(async () => {
    gateway = await startCountedGateway();
    gateway.upstream.answer = greet;
  });
  after(() => gateway.stop());

  const post = async (client: Wire, target: Wire, body: Json): Promise<number> => {
    const model = idOf(target);
    const text = JSON.stringify({ ...headOf(client, model), ...body });
    // Longer bodies are checked further (core/exchange/request/request-bounds.ts), which would look like a leap.
    expect(text.length).to.be.below(70_000);
    return (await send(gateway.url, { path: pathOf(client, model), body: text })).status;
  };
  /** To every vendor, because each pair of wires has its own code. */
  const postToAll = async (client: Wire, body: Json): Promise<void> => {
    for (const target of wires) expect(await post(client, target, body)).to.be.lessThan(500);
  };

  for (const client of wires) {
    for (const [kind, body] of [
      ['tools', richRequests[client]],
      ['structured output', structuredRequests(client)],
    ] as const) {
      it(`a request that is twice as long is accepted: ${client}, with ${kind}`, async () => {
        for (const target of wires) expect(await post(client, target, body), target).to.equal(200);
      });
    }
    const growths = [
      ...growthsOf(richRequests[client]),
      ...growthsOf(structuredRequests(client)).filter(({ name }) =>
        /response_format|output_config|text\.format|generationConfig/.test(name),
      ),
      ...pairedGrowths[client],
    ];
    for (const { title, growths: group } of groupsOf(growths)) {
      it(`a request that is twice as long costs twice the work: ${client}, ${title}`, async () => {
        expect(await measureGroup(gateway, group, ({ at }, size) => postToAll(client, at(size)))).to.deep.equal([]);
      });
    }
  }
});
