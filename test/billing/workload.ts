import { request as requestHttp, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isStreamed, pathOf, headOf, wireAt } from '../support/calls.ts';
import { modelIds } from '../support/scene.ts';
import { answerJson, type TestUpstream } from '../support/upstream.ts';
import { goodDay, bodyOf, userTurn } from '../matrix/sample-bodies.ts';
import { framesOf, textOf } from '../matrix/vendors/vendors.ts';
import { wires, type Tokens } from '../matrix/wires.ts';

/** What the upstream and the client do with a request. */
const ways = [
  'good',
  'good',
  'good',
  'throttled',
  'fails',
  'cut',
  'reset',
  'speechless',
  'uncounted',
  'leaves',
] as const;
type Way = (typeof ways)[number];

/** Two targets: the first one misbehaves, and the second one succeeds. */
export const PATIENT = 'mixed/patient';
const [FIRST, SECOND] = ['gpt-first', 'claude-second'];
export const patientTargets: readonly object[] = [
  { provider: 'openai', model: FIRST, wire: 'chat-completions' },
  { provider: 'anthropic', model: SECOND },
];
export const EMBEDDER = 'simulator/embed';
const models = [...Object.values(modelIds), PATIENT, PATIENT];
export const callers = ['alice', 'bob', 'carol'] as const;
export const secretOf = (name: string): string => `${name}-key-0123456789abcdef`;

/** A random number for a position in the workload, the same for the same seed. */
const createRandom = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

interface Errand {
  readonly way: Way;
  readonly caller: string;
  readonly path: string;
  readonly body: string;
}

const tagOf = (way: Way, index: number, frames: number): string =>
  `way=${way} n=${index} frames=${frames}. Say good day.`;
const readTag = (raw: Buffer) => {
  const [, way = 'good', index = '0', frames = '0'] = /way=([a-z]+) n=(\d+) frames=(\d+)\./.exec(raw.toString()) ?? [];
  return { way: way as Way, index: Number(index), frames: Number(frames) };
};
/** Every request uses another number of tokens. */
const tokensOf = (index: number): Tokens => ({
  fresh: 11 + ((index * 37) % 900),
  read: (index * 13) % 400,
  write: 0,
  output: 3 + ((index * 7) % 300),
  reasoning: 0,
});

const createErrands = (count: number, seed: number): readonly Errand[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const caller = callers[random(callers.length)] ?? 'alice';
    if (random(12) === 0)
      return {
        way: 'good',
        caller,
        path: '/v1/embeddings',
        body: JSON.stringify({ model: EMBEDDER, input: `words ${index}` }),
      };
    const way = ways[random(ways.length)] ?? 'good';
    const wire = wires[random(wires.length)] ?? 'chat';
    const model = models[random(models.length)] ?? PATIENT;
    const stream = way === 'leaves' || random(2) === 0;
    const text = tagOf(way, index, way === 'reset' ? random(3) : random(9));
    return {
      way,
      caller,
      path: pathOf(wire, model, stream),
      body: JSON.stringify(bodyOf(wire, [userTurn[wire](text)], headOf(wire, model, stream))),
    };
  });
};

/** The responses of all vendors, by the tag in the prompt. */
export const answerByTag: TestUpstream['answer'] = async (response, call) => {
  const { way: wanted, index, frames: shown } = readTag(call.raw);
  const way = call.body['model'] === SECOND ? 'good' : wanted;
  const wire = wireAt(call.path);
  const tokens = tokensOf(index);
  if (way === 'throttled') return answerJson(response, { error: { message: 'slow down' } }, 429);
  if (way === 'fails') return answerJson(response, { error: { message: 'broken' } }, 500);
  const streamed = isStreamed(call);
  const frames = streamed ? framesOf(wire, goodDay, tokens) : [textOf(wire, 'plain', goodDay, tokens)];
  const begin = (text: string): ServerResponse => {
    response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' });
    response.write(text);
    return response;
  };
  switch (way) {
    case 'cut':
      begin(frames.slice(0, shown).join('') || ' ').end();
      return;
    case 'reset':
      begin(frames.slice(0, streamed ? shown : 0).join('') || ' ');
      await delay(5);
      response.destroy();
      return;
    case 'speechless':
      response.destroy();
      return;
    case 'uncounted':
      response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' });
      response.end(frames.map((frame) => frame.replaceAll(/"(usage|usageMetadata)":\{/g, '"unheard":{')).join(''));
      return;
    case 'leaves':
      begin(frames.slice(0, shown).join('') || ' ');
      return;
    default:
      begin(frames.join('')).end();
  }
};

/** Sends a request and reads the response; some clients disconnect after the first chunk, or before. */
const run = (url: string, { way, caller, path, body }: Errand): Promise<void> =>
  new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${secretOf(caller)}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    };
    const request = requestHttp(url + path, { method: 'POST', headers, agent: false }, (response) => {
      response.on('error', () => {}).on('close', () => resolve());
      response.on('data', () => {
        if (way === 'leaves') request.destroy();
      });
    });
    request.on('error', () => resolve());
    if (way === 'leaves') setTimeout(() => request.destroy(), 100).unref();
    request.end(body);
  });

/** Sends the requests of one seed, several at a time, to the gateways in turn. */
export const runWorkload = async (urls: readonly string[], count: number, seed: number): Promise<void> => {
  const errands = createErrands(count, seed);
  const next = errands.entries();
  const work = async (): Promise<void> => {
    for (const [index, errand] of next) await run(urls[index % urls.length] ?? '', errand);
  };
  await Promise.all(Array.from({ length: 12 }, work));
};
