import { expect } from 'chai';
import { headOf, pathOf } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { idOf } from '../matrix/catalog.ts';
import { textOf } from '../matrix/vendors/vendors.ts';
import { wires, type Json, type Mode, type Wire } from '../matrix/wires.ts';
import { startCountedGateway, type CountedGateway } from './counted-gateway.ts';
import { groupsOf, measureGroup } from './measure.ts';
import { plainGrowths, richAnswers, streamGrowths } from './rich-answers.ts';
import { richRequests } from './rich-requests.ts';

/** Work is linear in the length of a response, whatever an upstream makes long. */
describe('a response that is twice as long', () => {
  let gateway: CountedGateway;
  let text: string;
  before(async () => {
    gateway = await startCountedGateway();
    gateway.upstream.answer = (response, { path, body }) => {
      const streamed = body['stream'] === true || path.includes(':stream');
      response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' }).end(text);
    };
  });
  after(() => gateway.stop());

  const receive = async (client: Wire, upstream: Wire, mode: Mode): Promise<number> => {
    const model = idOf(upstream);
    const streamed = mode === 'streamed';
    const body: Json = { ...richRequests[client], ...headOf(client, model, streamed) };
    return (await send(gateway.url, { path: pathOf(client, model, streamed), body: JSON.stringify(body) })).status;
  };

  for (const upstream of wires) {
    for (const mode of ['plain', 'streamed'] as const) {
      it(`a response that is twice as long is relayed unchanged: ${upstream}, ${mode}`, async () => {
        text = textOf(upstream, mode, richAnswers);
        for (const client of wires) expect(await receive(client, upstream, mode), client).to.equal(200);
      });
      for (const { title, growths } of groupsOf(mode === 'plain' ? plainGrowths(upstream) : streamGrowths(upstream))) {
        it(`a response that is twice as long costs twice the work: ${upstream}, ${mode}, ${title}`, async () => {
          const found = await measureGroup(gateway, growths, async ({ at }, size) => {
            text = mode === 'plain' ? JSON.stringify(at(size)) : String(at(size)['text']);
            for (const client of wires) await receive(client, upstream, mode);
          });
          expect(found).to.deep.equal([]);
        });
      }
    }
  }
});
