import { expect } from 'chai';
import { definePlugin, toGatewayError, type Strategy } from '../../core/api/index.ts';
import { builtIns, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { breaks, breakStream, firstHalf } from '../matrix/vendors/breaks.ts';
import { readStream } from '../matrix/clients/read-stream.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { framesOf } from '../matrix/vendors/vendors.ts';
import { wireNames, wires, type Wire } from '../matrix/wires.ts';

/** One after the other, as long as one fails. */
const tryAll: Strategy = async (exchange, attempt) => {
  let failure: unknown;
  for (const target of exchange.targets) {
    try {
      return await attempt(target, target.credentials[0] ?? '');
    } catch (thrown) {
      failure = toGatewayError(thrown);
    }
  }
  throw failure;
};
const eager = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'eager',
  schema: { type: 'object' },
  create: () => ({ strategy: tryAll }),
});

describe('a stream whose provider fails, where another could take over', () => {
  let first: TestUpstream;
  let second: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    first = await startUpstream();
    second = await startUpstream();
    const server = (url: string) => ({ use: 'openai-compatible', config: { baseUrl: `${url}/v1` } });
    gateway = await startTestGateway(
      {
        providers: { first: server(first.url), second: server(second.url) },
        models: {
          'first/m': {
            wires: wires.map((wire) => wireNames[wire]),
            targets: [
              { provider: 'first', model: 'm' },
              { provider: 'second', model: 'm' },
            ],
          },
        },
        plugins: [{ use: 'auth' }, { use: 'eager' }],
      },
      { ...builtIns, plugin: { ...builtIns.plugin, eager } },
    );
    second.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf('chat', goodDay).join(''));
  });
  beforeEach(() => {
    second.calls.length = 0;
  });
  after(async () => {
    await gateway.stop();
    await first.stop();
    await second.stop();
  });

  const read = (client: Wire) => readStream(client, gateway.url, 'first/m');

  for (const broken of breaks) {
    for (const client of wires) {
      it(`E60 a failure ends in an error where the client has seen something: ${broken.name}, ${client}`, async () => {
        first.answer = breakStream(broken, 'chat', 'after content');
        const { text, error, finish } = await read(client);
        expect(text).to.equal(firstHalf);
        expect(error?.message).to.match(broken.message);
        expect(finish).to.equal(undefined);
        expect(second.calls).to.have.length(0);
      });
      it(`E31 another target takes over where the client has seen nothing: ${broken.name}, ${client}`, async () => {
        first.answer = breakStream(broken, 'chat', 'before content');
        const { text, error } = await read(client);
        expect(error).to.equal(undefined);
        expect(text).to.equal('Good day.');
        expect(second.calls).to.have.length(1);
      });
    }
  }
});
