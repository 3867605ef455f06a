import { fileURLToPath } from 'node:url';
import { KEY } from '../../../test/support/gateway.ts';
import { callOf } from '../../../test/support/calls.ts';
import { goodHeaders } from '../../../test/support/http.ts';
import { wireNames, wires, type Wire } from '../../../test/matrix/wires.ts';
import { startFuzzGateway, type FuzzGateway } from '../gateway.ts';
import { readErrorFlaw, sendFuzz, type FuzzReply } from '../http.ts';
import type { FuzzCase, ReportFinding, Surface, Target } from '../play.ts';
import { randomOf, type Random } from '../random.ts';
import { makePattern, makeText, redact, showsNoMore, type FuzzPattern } from './patterns.ts';
import { plantText, readVisible } from './planted-texts.ts';
import { startFilterUpstream, type FilterUpstream } from './upstream.ts';

const LANES = 4;
/** The patterns of one gateway, each with its own models. */
const PATTERNS = 40;
const REPLACEMENT = '#';
const PLUGIN = fileURLToPath(
  new URL('../../../test/fixtures/extensions/planted-filter-faults/index.ts', import.meta.url),
);

const uses: Readonly<Record<Wire, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  responses: 'openai',
  google: 'google',
};
const lanes = Array.from({ length: LANES }, (_, lane) => lane);
const nameOf = (lane: number, wire: Wire): string => `lane${lane}-${wire}`;
const every = Object.values(wireNames);

const rulesOf = (patterns: readonly FuzzPattern[]): readonly object[] => [
  ...patterns.map(({ source }, index) => ({
    name: `pattern-${index}`,
    patterns: [source],
    models: [`*/p${index}`],
    replacement: REPLACEMENT,
  })),
  {
    name: 'planted',
    detect: ['emails', 'api-keys', 'card-numbers'],
    patterns: ['MARKER-\\d{6}'],
    models: ['*/planted'],
  },
];

const settingsFor = (url: string, patterns: readonly FuzzPattern[], planted: boolean): object => {
  const models = lanes.flatMap((lane) => [
    ...patterns.map((_, index) => [lane, 'chat', `p${index}`] as const),
    ...wires.map((wire) => [lane, wire, 'planted'] as const),
  ]);
  return {
    server: { port: 0 },
    admin: { port: 0 },
    store: { database: 'sqlite:./koine.db' },
    providers: Object.fromEntries(
      lanes.flatMap((lane) =>
        wires.map((wire) => [
          nameOf(lane, wire),
          {
            use: uses[wire],
            config: { apiKey: 'upstream-secret', baseUrl: `${url}/${lane}${uses[wire] === 'openai' ? '/v1' : ''}` },
          },
        ]),
      ),
    ),
    models: Object.fromEntries(
      models.map(([lane, wire, model]) => [
        `${nameOf(lane, wire)}/${model}`,
        { wires: every, targets: [{ provider: nameOf(lane, wire), model, wire: wireNames[wire] }] },
      ]),
    ),
    organizations: { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } },
    plugins: [
      { use: 'auth' },
      { use: 'content-filter', config: { rules: rulesOf(patterns) } },
      ...(planted ? [{ use: PLUGIN }] : []),
    ],
  };
};

/** The text of a response, plain or streamed. */
const contentOf = (text: string): string => {
  const read = (json: string): string => {
    const { choices = [] } = JSON.parse(json) as {
      readonly choices?: readonly {
        readonly message?: { readonly content?: string | null };
        readonly delta?: { readonly content?: string | null };
      }[];
    };
    return choices.map(({ message, delta }) => (message ?? delta)?.content ?? '').join('');
  };
  if (!text.includes('data: ')) return read(text);
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '{}']) => read(json)).join('');
};

const cutText = (text: string, random: Random): readonly string[] => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + random.below(5);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
};

class FilterTarget implements Target {
  readonly process: FuzzGateway;
  readonly #upstream: FilterUpstream;
  readonly #patterns: readonly FuzzPattern[];
  readonly #report: ReportFinding;

  constructor(gateway: FuzzGateway, upstream: FilterUpstream, patterns: readonly FuzzPattern[], report: ReportFinding) {
    this.process = gateway;
    this.#upstream = upstream;
    this.#patterns = patterns;
    this.#report = report;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.#upstream.stop();
  }

  async play(fuzzCase: FuzzCase): Promise<string> {
    const { random } = fuzzCase;
    if (random.chance(0.35)) return this.#playPlanted(fuzzCase);
    return random.chance(0.05) ? this.#playLong(fuzzCase) : this.#playPattern(fuzzCase);
  }

  /** A short text in both directions, compared with the regular expressions of JavaScript. */
  async #playPattern({ number, lane, random }: FuzzCase): Promise<string> {
    const index = random.below(this.#patterns.length);
    const pattern = this.#patterns[index] as FuzzPattern;
    const [asked, said] = [makeText(pattern, random), makeText(pattern, random)];
    const stream = random.chance(0.6);
    this.#upstream.deltas.set(lane, cutText(said, random));
    const reply = await this.#send(lane, '/v1/chat/completions', {
      model: `${nameOf(lane, 'chat')}/p${index}`,
      messages: [{ role: 'user', content: `${asked}` }],
      stream,
    });
    this.#judge(reply, number);
    if (reply.status !== 200) return String(reply.status);
    const { messages } = JSON.parse(this.#upstream.received.get(lane) ?? '{}') as {
      readonly messages?: readonly { readonly content: string }[];
    };
    const show = (text: string | undefined): string => JSON.stringify(text);
    for (const [where, text, got] of [
      ['a request', asked, messages?.[0]?.content],
      [stream ? 'a stream' : 'a response', said, contentOf(reply.text)],
    ] as const) {
      const expected = redact(pattern, text, REPLACEMENT);
      const isStream = where === 'a stream';
      if (isStream && !expected.isSimple) continue;
      if (got !== expected.text && !(isStream && showsNoMore(got ?? '', expected, REPLACEMENT)))
        this.#report(`${where}, ${pattern.source}: ${show(text)} is ${show(got)}, not ${show(expected.text)}`, number);
    }
    return '200';
  }

  /** A long text: only the time and the memory count. */
  async #playLong({ number, lane, random }: FuzzCase): Promise<string> {
    const index = random.below(this.#patterns.length);
    const text = (this.#patterns[index] as FuzzPattern).sample(random) || 'a';
    const content = text.repeat(Math.ceil(random.pick([10_000, 100_000, 1_000_000]) / text.length));
    this.#upstream.deltas.set(lane, ['x']);
    const model = `${nameOf(lane, 'chat')}/p${index}`;
    const reply = await this.#send(lane, '/v1/chat/completions', { model, messages: [{ role: 'user', content }] });
    this.#judge(reply, number);
    return `long ${reply.status}`;
  }

  async #playPlanted({ number, lane, random }: FuzzCase): Promise<string> {
    const { path, body, planted, place } = plantText(random, (upstream) => `${nameOf(lane, upstream)}/planted`);
    this.#upstream.deltas.delete(lane);
    const { status } = this.#judge(await this.#send(lane, path, body), number);
    const received = readVisible(this.#upstream.received.get(lane) ?? 'null');
    if (received.includes(planted)) this.#report(`the upstream got ${planted} of ${place}`, number);
    return `planted ${status}`;
  }

  #send(lane: number, path: string, body: object): Promise<FuzzReply> {
    this.#upstream.received.delete(lane);
    return sendFuzz(this.process.url, { path, headers: goodHeaders, pieces: [Buffer.from(JSON.stringify(body))] });
  }

  #judge(reply: FuzzReply, number: number): FuzzReply {
    // More long texts than the filter searches at once.
    const isBusy = reply.status === 503 && reply.text.includes('has more to search');
    if (isBusy) return reply;
    const flaw = reply.status >= 500 ? `${reply.status}: ${reply.text.slice(0, 300)}` : readErrorFlaw(reply);
    if (flaw !== undefined) this.#report(flaw, number);
    return reply;
  }
}

/** Random patterns and texts, and requests of every wire with sensitive texts in random places. */
export const filter: Surface = {
  name: 'filter',
  lanes: LANES,
  casesPerTarget: 1_000,
  start: async ({ seed, planted = false }, report, round) => {
    const patterns = Array.from({ length: PATTERNS }, (_, index) =>
      makePattern(randomOf(seed, 1_000_000_000 + round * PATTERNS + index)),
    );
    const upstream = await startFilterUpstream();
    const gateway = await startFuzzGateway({
      settings: settingsFor(upstream.url, patterns, planted),
      report,
      warmUp: async ({ url }) => {
        for (const wire of wires) {
          const { path, body } = callOf(wire, `${nameOf(0, wire)}/planted`);
          await sendFuzz(url, { path, headers: goodHeaders, pieces: [Buffer.from(body)] });
        }
      },
    });
    return new FilterTarget(gateway, upstream, patterns, report);
  },
};
