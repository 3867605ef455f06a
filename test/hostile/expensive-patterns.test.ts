import { expect } from 'chai';
import { greet, helloFor, pathOf } from '../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../support/http.ts';
import { modelIds } from '../support/scene.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import type { Wire } from '../matrix/wires.ts';
import { startGatewayProcess, type GatewayProcess } from './support/gateway-process.ts';

const MB = 1_048_576;
const PATTERN = '(?i)project.{1,100}secret';
/** The pattern can be in the middle of a different set of matches after each character of this text. */
const hostile = (length: number): string => {
  let text = '';
  for (let seed = 1; text.length < length; seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648)
    text += `project${' '.repeat(Math.floor(seed / 65_536) % 9)}`;
  return text.slice(0, length);
};

const texts = {
  '200 kB': hostile(200_000),
  '5 MB': hostile(5_000_000),
  '1.5 MB that end with a match': `${hostile(1_500_000)} secret`,
};

describe('patterns that are expensive to search, at a running gateway with a heap of 256 MB', () => {
  let upstream: TestUpstream;
  let gateway: GatewayProcess | undefined;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = greet;
  });
  beforeEach(() => void (upstream.calls.length = 0));
  afterEach(async () => {
    await gateway?.end();
    gateway = undefined;
  });
  after(async () => {
    await upstream?.stop();
  });

  const start = async (config: object): Promise<GatewayProcess> =>
    (gateway = await startGatewayProcess({
      upstream: upstream.url,
      settings: {
        server: { overload: { lag: '1m' } },
        plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'content-filter', config }],
      },
      variables: { NODE_OPTIONS: '--max-old-space-size=256' },
    }));
  const ask = (serving: GatewayProcess, wire: Wire, text: string): Promise<HttpReply> =>
    send(serving.url, {
      path: pathOf(wire, modelIds[wire]),
      headers: goodHeaders,
      body: JSON.stringify({ ...helloFor(wire, modelIds[wire]), messages: [{ role: 'user', content: text }] }),
    });
  const sent = (): string => JSON.stringify(upstream.calls.at(-1)?.body['messages']);

  for (const [name, text] of Object.entries(texts)) {
    it(`searches a text of ${name} within bounded memory`, async () => {
      const serving = await start({ rules: [{ name: 'gap', patterns: [PATTERN] }] });
      await ask(serving, 'chat', 'Hi');
      const before = serving.memory();
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, serving.memory())), 20);
      const reply = await ask(serving, 'chat', text).finally(() => clearInterval(watch));
      expect(reply.status, reply.text).to.equal(200);
      expect(sent().includes('[redacted]')).to.equal(text.endsWith(' secret'));
      // Bodies, texts and what is sent upstream are copies of the text.
      expect(most - before, 'memory').to.be.below(100 * MB + 20 * text.length);
      await serving.check(2);
    });
  }

  it('answers other requests while it searches', async () => {
    const rules = [1, 2, 3, 4, 5, 6].map((count) => ({ name: `gap${count}`, patterns: [`${PATTERN}{${count}}`] }));
    const serving = await start({ rules });
    let isOver = false;
    const long = ask(serving, 'chat', texts['5 MB']).finally(() => (isOver = true));
    await until('the search has begun', async () => (await serving.figure('koine_steps_total')) > 0);
    const beside: HttpReply[] = [];
    for (let request = 0; request < 3; request += 1) beside.push(await ask(serving, 'messages', 'Hi'));
    expect(isOver, 'the long request is over').to.equal(false);
    expect(beside.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    // On a slow machine it is refused as overloaded.
    expect((await long).status).to.be.oneOf([200, 503]);
  });

  it('refuses a request beyond the budget, or lets it pass, as the rule says', async () => {
    const rule = { patterns: [PATTERN] };
    const serving = await start({
      budget: 2_000_000,
      rules: [
        { ...rule, name: 'strict', routes: ['/v1/chat/completions'] },
        { ...rule, name: 'lenient', routes: ['/v1/messages'], onBudget: 'pass' },
      ],
    });
    const refused = await ask(serving, 'chat', texts['1.5 MB that end with a match']);
    expect(refused.status, refused.text).to.equal(413);
    expect(refused.text).to.include('its rule \\"strict\\"').and.to.include('Send a shorter one');
    expect(upstream.calls).to.have.length(0);
    const passed = await ask(serving, 'messages', texts['1.5 MB that end with a match']);
    expect(passed.status, passed.text).to.equal(200);
    expect(sent()).to.include(' secret');
    for (const [name, decision] of Object.entries({ strict: 'refuse', lenient: 'pass' })) {
      const labels = { rule: name, in: 'input', decision };
      expect(await serving.figure('koine_content_filter_over_budget_total', labels)).to.equal(1);
      const logged = () => serving.lines().filter(({ rule }) => rule === name);
      await until('its line has come', () => logged().length > 0);
      expect(logged()).to.have.length(1);
    }
    expect((await ask(serving, 'chat', 'The project is a secret.')).status).to.equal(200);
    expect(sent()).to.include('The [redacted].');
    await serving.check(3);
  });
});
