import { expect } from 'chai';
import type { FailureClass } from '../../core/api/index.ts';
import { errorFrame } from '../matrix/vendors/breaks.ts';
import { googleError } from '../matrix/failures/failure-case.ts';
import { wires, type Wire } from '../matrix/wires.ts';
import { exchangesOf, holdInvariants, lastAttempts } from './checks/invariants.ts';
import { modelOf, secrets } from './models.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';
import { framesBeforeText } from './upstream/answers.ts';
import {
  complete,
  end,
  head,
  lastChunk,
  opened,
  plain,
  reset,
  write,
  type HeaderLines,
  type Step,
} from './upstream/steps.ts';

/** The class of a status without a usable body, and the response to a client of chat-completions. */
const statuses: readonly (readonly [status: number, failure: FailureClass, shown: number])[] = [
  [400, 'caller-fault', 400],
  [401, 'credential', 502],
  [403, 'caller-fault', 403],
  [404, 'model-gone', 404],
  [408, 'timeout', 504],
  [409, 'transient', 502],
  [413, 'caller-fault', 413],
  [422, 'caller-fault', 422],
  [429, 'rate-limit', 429],
  [500, 'transient', 502],
  [502, 'transient', 502],
  [503, 'overloaded', 503],
  [504, 'timeout', 504],
  [529, 'overloaded', 503],
];

/** Bodies without information: empty or unreadable. */
const bodies: Readonly<Record<string, (status: number) => readonly Step[]>> = {
  'a page': (status) => plain(status, '<html>Something is wrong</html>', { 'content-type': 'text/html' }),
  'a body that is reset': (status) => [
    head(status, { 'content-type': 'application/json', 'content-length': 100 }),
    write('{"error":'),
    reset,
  ],
  'a body in a wrong encoding': (status) => plain(status, 'no gzip', { 'content-encoding': 'gzip' }),
  'a body with the key': (status) =>
    plain(status, JSON.stringify({ error: { message: `Your key is ${secrets.openai}.` }, note: secrets.openai })),
};

const waits: readonly (readonly [name: string, headers: HeaderLines, shown: string | undefined])[] = [
  ['seconds', { 'retry-after': 7 }, '7'],
  ['a date', { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, '30'],
  ['milliseconds', { 'retry-after-ms': 1_500 }, '2'],
  ['an absurd time', { 'retry-after': '1e9' }, '60'],
  ['a negative time', { 'retry-after': -5 }, '1'],
  ['garbage', { 'retry-after': 'soon' }, undefined],
  ['nothing', { 'retry-after': '' }, undefined],
];

overBoth('a provider that answers with an error', (security) => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene({ security });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  const expectOneCall = async (): Promise<Readonly<Record<string, unknown>>> => {
    await holdInvariants(scene);
    expect(scene.upstream.requests.splice(0), 'it is called once').to.have.length(1);
    return exchangesOf(scene).at(-1) ?? {};
  };

  for (const [status, failure, shown] of statuses) {
    for (const [name, script] of Object.entries(bodies)) {
      // A 404 with a message concerns something that the request names.
      const expected = status === 404 && name === 'a body with the key' ? 'caller-fault' : failure;
      const row = status >= 500 || [408, 409].includes(status) ? 13 : status === 429 ? 12 : 14;
      it(`row ${row}: maps ${status} with ${name} to ${expected}`, async () => {
        scene.upstream.script = () => script(status);
        const reply = await scene.call('chat', modelOf('chat'), status % 2 === 0);
        expect(reply.status, reply.text).to.equal(shown);
        const line = await expectOneCall();
        expect(lastAttempts(scene)[0]).to.include({ failure: expected, status });
        expect(line, 'free of charge').to.not.have.property('tokens_in');
      });
    }
  }

  for (const [name, headers, shown] of waits) {
    const header = shown === undefined ? 'no retry-after' : `a retry-after of ${shown} s`;
    it(`row 12: sends ${header} for a 429 with a wait of ${name}`, async () => {
      scene.upstream.script = () => plain(429, '{"error":{"message":"Slow down"}}', headers);
      const reply = await scene.call('chat', modelOf('chat'), false);
      expect(reply.status).to.equal(429);
      expect(reply.headers['retry-after']).to.equal(shown);
      await expectOneCall();
    });
  }

  it('row 12: sends a retry-after for a 429 with Google’s RetryInfo', async () => {
    const body = googleError(429, 'RESOURCE_EXHAUSTED', 'Slow down', [
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' },
    ]);
    scene.upstream.script = () => plain(429, JSON.stringify(body));
    expect((await scene.call('chat', modelOf('google'), false)).headers['retry-after']).to.equal('7');
    await expectOneCall();
  });

  for (const wire of wires) {
    for (const [name, last] of [
      ['and a good end', [lastChunk, complete]],
      ['and a close', [end]],
    ] as const) {
      it(`row 15: returns the error of an error event before any content ${name}, ${wire}`, async () => {
        const frames: Readonly<Record<Wire, readonly string[]>> = {
          chat: framesBeforeText('chat'),
          messages: framesBeforeText('messages'),
          responses: framesBeforeText('responses'),
          google: [],
        };
        scene.upstream.script = () => [...opened([...frames[wire], errorFrame[wire]]), ...last];
        expect((await scene.call('chat', modelOf(wire), true)).status).to.equal(503);
        const line = await expectOneCall();
        expect(line).to.include({ code: 'upstream_overloaded' }).and.to.not.have.property('ending');
        expect(lastAttempts(scene)[0]).to.include({ failure: 'overloaded', status: 200 });
      });
    }
  }
});
