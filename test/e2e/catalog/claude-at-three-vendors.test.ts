import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

interface Shipped {
  readonly models: Readonly<Record<string, { readonly targets: readonly { readonly provider: string }[] }>>;
}
const MODEL = 'any/claude-sonnet-4-6';
const shipped = parse(readFileSync(new URL('../../../gateway.yaml', import.meta.url), 'utf8')) as Shipped;

/** What a client of the messages wire can write and no other wire has. */
const messages = [
  {
    role: 'user',
    content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } }],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm', signature: 'c2lnbmF0dXJl' },
      { type: 'text', text: 'Yes' },
    ],
  },
  { role: 'user', content: 'And now?' },
];

describe('Claude at three vendors', () => {
  let vendors: TestUpstream;
  let gateway: TestGateway;
  /** The vendors that are down. */
  let down: readonly string[] = [];
  const vendorOf = (path: string): string => {
    if (path.startsWith('/model/')) return 'bedrock';
    return path.startsWith('/v1/messages') ? 'anthropic' : 'vertex';
  };

  before(async () => {
    vendors = await startUpstream();
    vendors.answer = (response, { path }) => {
      const vendor = vendorOf(path);
      if (down.includes(vendor))
        return answerJson(response, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529);
      answerJson(response, {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-6',
        content: [{ type: 'text', text: vendor }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 5, output_tokens: 2 },
      });
    };
    gateway = await startTestGateway({
      providers: {
        anthropic: { use: 'anthropic', config: { apiKey: 'one', baseUrl: vendors.url } },
        bedrock: { use: 'bedrock', config: { apiKey: 'two', region: 'eu-west-1', baseUrl: vendors.url } },
        vertex: { use: 'vertex', config: { apiKey: 'three', project: 'p', baseUrl: vendors.url } },
      },
      models: { [MODEL]: shipped.models[MODEL] },
      plugins: [{ use: 'auth' }, { use: 'failover', config: { retries: 0, sticky: false } }],
    });
  });
  after(async () => {
    await gateway.stop();
    await vendors.stop();
  });

  it('the shipped model has the three vendors as targets', () => {
    const { targets = [] } = shipped.models[MODEL] ?? {};
    expect(targets.map(({ provider }) => provider)).to.deep.equal(['anthropic', 'bedrock', 'vertex']);
  });

  it('moves on when a vendor is down, and sends each the messages that the client wrote', async () => {
    const answers: string[] = [];
    for (const broken of [[], ['anthropic'], ['anthropic', 'bedrock']]) {
      down = broken;
      vendors.calls.length = 0;
      const response = await fetch(`${gateway.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({ model: MODEL, max_tokens: 50, messages }),
      });
      const body = (await response.json()) as { content?: readonly { readonly text: string }[] };
      answers.push(body.content?.[0]?.text ?? JSON.stringify(body));
      expect(response.headers.get('x-koine-losses')).to.equal(null);
      for (const { body: sent } of vendors.calls) expect(sent['messages']).to.deep.equal(messages);
      expect(vendors.calls.map(({ path }) => vendorOf(path))).to.deep.equal([...broken, answers.at(-1)]);
    }
    expect(answers).to.deep.equal(['anthropic', 'bedrock', 'vertex']);
    const [, bedrock, vertex] = vendors.calls.map(({ body }) => body);
    expect(bedrock).to.include({ anthropic_version: 'bedrock-2023-05-31' }).and.not.have.any.keys('model', 'stream');
    expect(vertex).to.include({ anthropic_version: 'vertex-2023-10-16' }).and.not.have.any.keys('model');
  });
});
