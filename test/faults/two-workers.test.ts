import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { callOf } from '../support/calls.ts';
import { goodHeaders, send } from '../support/http.ts';
import { lateFaults } from './after-content.ts';
import { atOnce } from './at-once.ts';
import { earlyFaults } from './before-content.ts';
import { expectEarly } from './checks/expect-early.ts';
import { expectLate } from './checks/expect-late.ts';
import { exchangesOf, holdInvariants, lastAttempts } from './checks/invariants.ts';
import { findFreePort } from '../../core/server/primary/free-port.ts';
import { modelOf, secrets, settingsAt } from './models.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';
import { answerWell, firstFrames, goodAnswer } from './upstream/answers.ts';
import { startFaultUpstream, type FaultUpstream } from './upstream/fault-upstream.ts';
import { opened, plain, reset, silence } from './upstream/steps.ts';

/** So many at once that the kernel gives some to each of two workers. */
const CALLS = 16;

/** One fault of each kind: the rest is the same code in another process. */
overBoth('two workers', (security) => {
  let scene: FaultScene;
  let distrusted: FaultUpstream;
  let stalled: FaultUpstream;
  before(async () => {
    [distrusted, stalled] = await Promise.all([startFaultUpstream('expired'), startFaultUpstream('stalled')]);
    const addresses = {
      refused: `http://127.0.0.1:${await findFreePort({ host: '127.0.0.1', port: 0 })}`,
      nameless: 'http://name.invalid',
      distrusted: distrusted.url,
      stalled: stalled.url,
    };
    scene = await startFaultScene({
      security,
      workers: 2,
      settings: (url) => {
        const settings = settingsAt(url) as { readonly providers: object; readonly models: object };
        const unreachable = Object.entries(addresses);
        return {
          ...settings,
          providers: {
            ...settings.providers,
            ...Object.fromEntries(
              unreachable.map(([name, baseUrl]) => [
                name,
                {
                  use: 'openai-compatible',
                  config: { apiKey: secrets.openai, baseUrl },
                  timeouts: { connect: '500ms' },
                },
              ]),
            ),
          },
          models: {
            ...settings.models,
            ...Object.fromEntries(
              unreachable.map(([name]) => [`unreachable/${name}`, { targets: [{ provider: name, model: 'any' }] }]),
            ),
          },
        };
      },
    });
  });
  after(async () => {
    await scene.stop();
    await Promise.all([distrusted.stop(), stalled.stop()]);
  });
  afterEach(() => holdInvariants(scene));

  for (const [row, name, code] of [
    [1, 'refused', 'upstream_unreachable'],
    [1, 'nameless', 'upstream_unreachable'],
    [2, 'distrusted', 'upstream_tls'],
    [2, 'stalled', 'upstream_unreachable'],
  ] as const) {
    it(`row ${row}: returns ${code} for a provider that is ${name}, and sends it nothing`, async () => {
      const known = scene.replies.length;
      const linesSince = () => exchangesOf(scene).slice(known);
      // The kernel can give all connections to one worker.
      do {
        const replies = await Promise.all(
          Array.from({ length: 4 }, () => scene.call('chat', `unreachable/${name}`, true)),
        );
        expect(replies.map(({ status }) => status)).to.deep.equal([502, 502, 502, 502]);
        await holdInvariants(scene);
      } while (new Set(linesSince().map(({ worker }) => worker)).size < 2);
      for (const line of linesSince())
        expect(line).to.include({ code, outcome: 'upstream_error' }).and.to.not.have.property('tokens_in');
      expect([...distrusted.requests, ...stalled.requests]).to.deep.equal([]);
      for (const greeting of [...distrusted.greetings, ...stalled.greetings])
        expect(greeting[0], 'a handshake').to.equal(0x16);
    });
  }

  it('row 4: replaces connections that were reset before the next request, in each worker', async () => {
    const callAll = (): Promise<unknown> =>
      Promise.all(Array.from({ length: CALLS }, () => scene.call('chat', modelOf('chat'), false)));
    scene.upstream.script = answerWell('chat', 'plain');
    await callAll();
    await holdInvariants(scene);
    scene.upstream.requests.length = 0;
    scene.upstream.script = ({ before }) => (before > 0 ? [reset] : goodAnswer('chat', 'plain'));
    const known = scene.replies.length;
    await callAll();
    await holdInvariants(scene);
    expect(scene.upstream.requests.filter(({ before }) => before > 0)).to.have.length.of.at.least(2);
    expect(new Set(scene.upstream.requests.map(({ body }) => body)).size, 'the same bytes').to.equal(1);
    for (const line of exchangesOf(scene).slice(known))
      expect(line).to.include({ outcome: 'ok' }).and.to.have.property('attempts').with.length(1);
  });

  const cases = [
    ...earlyFaults.map((fault) => ({
      pace: fault.pace,
      title: `row ${fault.row}: returns ${fault.code} for ${fault.name}`,
      run: () => expectEarly(scene, fault, 'chat', 'chat', fault.mode ?? 'plain'),
    })),
    ...lateFaults.map((fault) => ({
      pace: fault.pace,
      title: `row ${fault.row}: ends the response as ${fault.ending} after ${fault.name}`,
      run: () => expectLate(scene, fault, 'messages', 'messages'),
    })),
  ];
  atOnce(
    'one of each kind',
    cases.filter(({ pace }) => pace === undefined),
  );
  // A deadline does not depend on encryption.
  if (security === 'none')
    atOnce(
      'by a deadline',
      cases.filter(({ pace }) => pace !== undefined),
    );

  for (const [row, status, failure, shown] of [
    [12, 429, 'rate-limit', 429],
    [13, 500, 'transient', 502],
    [13, 529, 'overloaded', 503],
    [14, 401, 'credential', 502],
    [14, 400, 'caller-fault', 400],
  ] as const) {
    it(`row ${row}: maps ${status} to ${failure}`, async () => {
      scene.upstream.script = () => plain(status, '{"error":{"message":"No"}}');
      expect((await scene.call('chat', modelOf('chat'), false)).status).to.equal(shown);
      await holdInvariants(scene);
      expect(lastAttempts(scene)[0]).to.include({ failure, status });
    });
  }

  it('row 25: cuts the upstream of a client that leaves', async () => {
    scene.upstream.script = () => [...opened(firstFrames('chat')), silence];
    await new Promise<void>((resolve) => {
      const request = requestHttp(
        `${scene.url}/v1/chat/completions`,
        { method: 'POST', headers: goodHeaders, agent: false },
        (response) => void response.once('data', () => request.destroy()).on('error', () => {}),
      );
      request
        .once('close', resolve)
        .on('error', () => {})
        .end(callOf('chat', modelOf('chat'), { stream: true }).body);
    });
    scene.replies.push(new Error('left'));
    await holdInvariants(scene);
    expect(exchangesOf(scene).at(-1)).to.include({
      outcome: 'client_closed',
      ending: 'client_closed',
      tokens_estimated: true,
    });
  });

  const bodies: readonly (readonly [row: number, name: string, body: string])[] = [
    [30, 'not JSON', '{"model":'],
    [30, 'a list', '[]'],
    [31, 'nested too deeply', `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    [32, 'a prototype', '{"__proto__":{"polluted":true}}'],
  ];
  for (const [row, name, body] of bodies) {
    it(`row ${row}: returns a 400 for a body that is ${name}`, async () => {
      scene.upstream.requests.length = 0;
      const reply = await send(scene.url, { ...callOf('chat', modelOf('chat')), body });
      scene.replies.push(reply);
      expect(reply.status, reply.text).to.equal(400);
      expect(JSON.parse(reply.text)).to.have.nested.property('error.message').that.is.a('string');
      await holdInvariants(scene);
      expect(scene.upstream.requests).to.deep.equal([]);
    });
  }

  it('shares the work among healthy workers', async () => {
    scene.upstream.script = answerWell('chat', 'streamed');
    const replies = await Promise.all(Array.from({ length: 20 }, () => scene.call('chat', modelOf('chat'), true)));
    expect(replies.filter(({ status, text }) => status === 200 && text.endsWith('data: [DONE]\n\n'))).to.have.length(
      20,
    );
    await holdInvariants(scene);
    expect(new Set(exchangesOf(scene).map(({ worker }) => worker)).size).to.equal(2);
  });
});
