import { expect } from 'chai';
import { KEY, startTestGateway, type TestGateway } from '../e2e/gateway.ts';
import { startUpstream, type TestUpstream } from '../e2e/upstream.ts';
import { breaks, breakStream, firstHalf, type Break } from './breaks.ts';
import { defaultModels, hello } from './matrix-case.ts';
import { readStream, type Sight } from './read-stream.ts';
import { catalogOf, pairOf, providerOf, providersAt, wires, type Wire } from './wires.ts';

const paths: Readonly<Record<Wire, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages' };
/** What ends a good stream, or makes a client run a call that was cut off. */
const goodEnds: Readonly<Record<Wire, RegExp>> = { chat: /\[DONE\]|"finish_reason":"/, messages: /message_stop|message_delta|content_block_stop/ };
const errors: Readonly<Record<Wire, RegExp>> = { chat: /data: \{"error":/g, messages: /event: error\ndata: \{"type":"error"/g };

describe('matrix: streams that break', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway({ providers: providersAt(upstream.url), models: catalogOf([defaultModels]) });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const modelOf = (wire: Wire): string => `${providerOf[wire]}/${defaultModels[wire]}`;
  const read = (client: Wire, wire: Wire): Promise<Sight> => readStream(client, gateway.url, modelOf(wire));
  /** The one line that an exchange leaves in the access log. */
  const logged = async (exchange: () => Promise<void>): Promise<Readonly<Record<string, unknown>>> => {
    const before = gateway.exchanges().length;
    await exchange();
    await gateway.settled(before + 1);
    expect(gateway.exchanges()).to.have.length(before + 1);
    return gateway.exchanges()[before] ?? {};
  };

  const checkBefore = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    upstream.answer = breakStream(broken, wire, 'before content');
    const line = await logged(async () => {
      const { error, text } = await read(client, wire);
      expect(text).to.equal('');
      expect(error?.status, String(error)).to.equal(broken.status[client]);
    });
    expect(line).to.include({ outcome: 'upstream_error', status: broken.status[client] });
  };

  const checkAfter = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    upstream.answer = breakStream(broken, wire, 'after content');
    const line = await logged(async () => {
      const { error, text, finish } = await read(client, wire);
      expect(text).to.equal(firstHalf);
      expect(finish).to.equal(undefined);
      expect(error, 'the SDK ended well').to.not.equal(undefined);
      expect(error?.message).to.match(broken.message);
    });
    expect(line).to.include({ outcome: 'upstream_error', status: 200, ending: broken.ending });
  };

  /** What goes over the wire: exactly one error, and nothing that ends a good answer. */
  const checkBytes = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    upstream.answer = breakStream(broken, wire, 'after content');
    const body = JSON.stringify({ ...hello[client], model: modelOf(wire), stream: true });
    const reply = await fetch(gateway.url + paths[client], { method: 'POST', headers: { authorization: `Bearer ${KEY}`, 'anthropic-version': '2023-06-01' }, body });
    const text = await reply.text();
    expect(text.match(errors[client]) ?? [], text).to.have.length(1);
    expect(text).to.not.match(goodEnds[client]);
    expect(text.endsWith('\n\n')).to.equal(true);
  };

  for (const broken of breaks) {
    for (const client of wires) {
      for (const wire of wires) {
        const pair = pairOf(client, wire);
        it(`${broken.name} before content is an HTTP status over ${pair}`, () => checkBefore(broken, client, wire));
        it(`${broken.name} after content is an error of the SDK over ${pair}`, () => checkAfter(broken, client, wire));
        it(`${broken.name} after content is one error frame over ${pair}`, () => checkBytes(broken, client, wire));
      }
    }
  }
});
