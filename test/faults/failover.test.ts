import { expect } from 'chai';
import { streamEnds } from '../support/calls.ts';
import type { HttpReply } from '../support/http.ts';
import { errorFrame } from '../matrix/vendors/breaks.ts';
import { wireNames, type Mode, type Wire } from '../matrix/wires.ts';
import { atOnce } from './at-once.ts';
import { earlyFaults, type EarlyFault } from './before-content.ts';
import { findFreePort } from '../../core/server/primary/free-port.ts';
import { holdInvariants, lineOf } from './checks/invariants.ts';
import { modelOf, secrets, settingsAt, type Pace } from './models.ts';
import { overBoth, plugins, startFaultScene, type FaultScene } from './scene.ts';
import { framesBeforeText, goodAnswer } from './upstream/answers.ts';
import { complete, lastChunk, opened, plain, type Step } from './upstream/steps.ts';
import { startFaultUpstream, type FaultUpstream } from './upstream/fault-upstream.ts';

/** The same model, and a second target of another wire behind it. */
const pairOf = (model: string): string => `pair/${model.slice(model.indexOf('/') + 1)}`;
/** One attempt for each target: retries and cooldowns have tests of their own. */
const failover = {
  use: 'failover',
  config: {
    retries: 0,
    circuit: { calls: 1_000_000, consecutive: 0 },
    cooldown: { rateLimit: '1ms', quota: '1ms' },
    wait: '0s',
  },
};

type Settings = {
  readonly providers: object;
  readonly models: Readonly<Record<string, { readonly targets: readonly object[] }>>;
};
const second = { provider: 'anthropic', model: 'second', wire: wireNames.messages };
const provider = (baseUrl: string): object => ({
  use: 'openai-compatible',
  config: { baseUrl, apiKey: secrets.openai },
});

overBoth('with a second target', (security) => {
  let scene: FaultScene;
  let distrusted: FaultUpstream;
  before(async () => {
    const port = await findFreePort({ host: '127.0.0.1', port: 0 });
    distrusted = await startFaultUpstream('expired');
    scene = await startFaultScene({
      security,
      settings: (url) => {
        const settings = settingsAt(url) as Settings;
        const pairs = Object.entries(settings.models).map(([id, model]) => [
          pairOf(id),
          { ...model, targets: [...model.targets, second] },
        ]);
        const alone = (name: string): object => ({ targets: [{ provider: name, model: 'first' }, second] });
        return {
          ...settings,
          providers: {
            ...settings.providers,
            gone: provider(`http://127.0.0.1:${port}/v1`),
            nameless: provider('http://name.invalid/v1'),
            distrusted: provider(`${distrusted.url}/v1`),
          },
          models: {
            ...Object.fromEntries(pairs),
            'pair/gone': alone('gone'),
            'pair/nameless': alone('nameless'),
            'pair/distrusted': alone('distrusted'),
          },
          plugins: [...plugins, failover],
        };
      },
    });
  });
  after(async () => {
    await scene.stop();
    await distrusted.stop();
  });

  const expectSecond = async (model: string, mode: Mode, failure: string, word?: string): Promise<void> => {
    const reply: HttpReply = await scene.call('chat', model, mode === 'streamed', word);
    const { status, text, headers } = reply;
    expect(status, text).to.equal(200);
    expect(text).to.include('Good').and.include('day.');
    if (mode === 'streamed') expect(text).to.match(streamEnds.chat);
    expect(headers).to.include({ 'x-koine-provider': 'anthropic', 'x-koine-attempts': '2' });
    const line = await lineOf(scene, reply);
    expect(line).to.include({ outcome: 'ok', ending: 'complete' });
    const [first, last] = line['attempts'] as readonly { readonly status: number }[];
    expect(first).to.include({ failure });
    // A vendor whose response has begun charges for the input.
    const isPaid = first !== undefined && first.status >= 200 && first.status < 300;
    expect(line['tokens_estimated']).to.equal(isPaid ? true : undefined);
    expect(last).to.include({ status: 200, lane: 'translated' });
  };

  /** Calls to the first vendor fail, and calls to the second succeed. */
  const check = async (
    script: (wire: Wire, mode: Mode) => readonly Step[],
    failure: string,
    mode: Mode,
    pace?: Pace,
  ): Promise<void> => {
    const word = scene.upstream.play(({ path }) =>
      path === '/v1/messages' ? goodAnswer('messages', mode) : script('chat', mode),
    );
    await expectSecond(pairOf(modelOf('chat', pace)), mode, failure, word);
    const requests = scene.upstream.requestsWith(word);
    expect(requests.map(({ path }) => path)).to.deep.equal(['/v1/chat/completions', '/v1/messages']);
    for (const { body } of requests) expect(body).to.include('Hello');
  };
  const worthwhile = ({ pace }: EarlyFault): boolean => pace === undefined || security === 'none';
  const cases = earlyFaults.filter(worthwhile).flatMap(({ row, name, script, failure, mode, pace }) =>
    (mode === undefined ? (['plain', 'streamed'] as const) : [mode]).map((each) => ({
      pace,
      title: `row ${row}: a failover makes up for ${name}, ${each}`,
      run: () => check(script, failure, each, pace),
    })),
  );
  afterEach(() => holdInvariants(scene));
  for (const { pace, title, run } of cases) if (pace === undefined) it(title, run);
  atOnce(
    'by a deadline',
    cases.filter(({ pace }) => pace !== undefined),
  );

  it('row 15: goes on to the next target after an error event before content', () =>
    check(
      () => [...opened([...framesBeforeText('chat'), errorFrame.chat]), lastChunk, complete],
      'overloaded',
      'streamed',
    ));
  for (const [status, failure] of [
    [429, 'rate-limit'],
    [500, 'transient'],
    [503, 'overloaded'],
    [504, 'timeout'],
    [404, 'model-gone'],
  ] as const) {
    const code = failure === 'model-gone' ? 'model_not_found' : null;
    const body = JSON.stringify({ error: { message: 'No', code } });
    it(`rows 12 to 14: goes on to the next target after a ${status}, even without a retry-after`, () =>
      check(() => plain(status, body), failure, 'plain'));
  }

  for (const [model, failure] of [
    ['gone', 'transient'],
    ['nameless', 'transient'],
    ['distrusted', 'credential'],
  ] as const) {
    it(`rows 1 and 2: goes on to the next target if the first is ${model}`, async () => {
      scene.upstream.requests.length = 0;
      scene.upstream.script = () => goodAnswer('messages', 'plain');
      await expectSecond(`pair/${model}`, 'plain', failure);
      expect(scene.upstream.requests).to.have.length(1);
      expect(distrusted.requests, 'no key is sent to whom nobody trusts').to.deep.equal([]);
    });
  }

  it('row 14: does not go on to the next target after a fault of the caller', async () => {
    scene.upstream.requests.length = 0;
    scene.upstream.script = () => plain(400, '{"error":{"message":"Too hot"}}');
    expect((await scene.call('chat', pairOf(modelOf('chat')), false)).status).to.equal(400);
    await holdInvariants(scene);
    expect(scene.upstream.requests).to.have.length(1);
  });
});
