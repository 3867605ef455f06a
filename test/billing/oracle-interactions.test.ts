import type { Scene } from '../support/scene.ts';
import { answerJson } from '../support/upstream.ts';
import type { Json } from '../matrix/wires.ts';
import { consult, startOracle, type OracleCase } from './oracle.ts';
import type { Answer } from './scripted.ts';

const head = { id: 'v1_1', object: 'interaction', model: 'gemini-3.5-flash' };

const frame = (type: string, members: Json): string =>
  `event: ${type}\ndata: ${JSON.stringify({ ...members, event_type: type })}\n\n`;

/** Steps before the text, as they stand in the body and in the stream. */
interface Said {
  readonly steps?: readonly Json[];
  readonly members?: Json;
}

/** The vendor says `Good day.` with this usage, plain or streamed as it is asked. */
const says =
  (usage: Json | undefined, { steps = [], members = {} }: Said = {}): Answer =>
  (response, { body }) => {
    const end = { ...head, status: 'completed', ...(usage === undefined ? {} : { usage }), ...members };
    const text = { type: 'text', text: 'Good day.' };
    if (body['stream'] !== true)
      return answerJson(response, { ...end, steps: [...steps, { type: 'model_output', content: [text] }] });
    const index = steps.length;
    const frames = [
      frame('interaction.created', { interaction: { ...head, status: 'in_progress' } }),
      ...steps.flatMap((step, place) => [
        frame('step.start', { index: place, step }),
        frame('step.stop', { index: place }),
      ]),
      frame('step.start', { index, step: { type: 'model_output' } }),
      frame('step.delta', { index, delta: text }),
      frame('step.stop', { index }),
      frame('interaction.completed', { interaction: end }),
      'event: done\ndata: [DONE]\n\n',
    ];
    return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join(''));
  };

const counted = { total_input_tokens: 50, total_output_tokens: 20, total_tokens: 70 };
const search = { type: 'google_search_call', id: 's1', arguments: { queries: ['one', 'two', 'two', ''] } };

/** What the vendor reports, and what it is at the prices of the oracle. */
interface Row extends Pick<OracleCase, 'usage' | 'nano'> {
  readonly name: string;
  /** A name of a price: `plain`, `rich` or `searching`. */
  readonly price: string;
  readonly reports: Json | undefined;
  readonly said?: Said;
}

const rows: readonly Row[] = [
  {
    name: 'thoughts are beside the output, at the rate of reasoning',
    price: 'rich',
    reports: { ...counted, total_thought_tokens: 30, total_tokens: 100 },
    usage: { inputUncached: 50, output: 50, reasoning: 30 },
    nano: 50n * 2_000n + 20n * 10_000n + 30n * 20_000n + 1_000_000n,
  },
  {
    name: 'thoughts cost the rate of the output where reasoning has none',
    price: 'plain',
    reports: { ...counted, total_thought_tokens: 30, total_tokens: 100 },
    usage: { inputUncached: 50, output: 50, reasoning: 30 },
    nano: 50n * 2_000n + 50n * 10_000n,
  },
  {
    name: 'cached tokens are inside the input',
    price: 'plain',
    reports: { ...counted, total_cached_tokens: 40 },
    usage: { inputUncached: 10, cacheRead: 40, output: 20 },
    nano: 10n * 2_000n + 40n * 500n + 20n * 10_000n,
  },
  {
    name: 'prompts of tools are beside the input',
    price: 'plain',
    reports: { ...counted, total_tool_use_tokens: 25, total_tokens: 95 },
    usage: { inputUncached: 75, output: 20 },
    nano: 75n * 2_000n + 20n * 10_000n,
  },
  {
    name: 'modalities have rates of their own, and pages are images',
    price: 'rich',
    reports: {
      ...counted,
      input_tokens_by_modality: [
        { modality: 'text', tokens: 20 },
        { modality: 'audio', tokens: 10 },
        { modality: 'image', tokens: 15 },
        { modality: 'document', tokens: 5 },
      ],
      output_tokens_by_modality: [
        { modality: 'text', tokens: 8 },
        { modality: 'image', tokens: 12 },
      ],
    },
    usage: { inputUncached: 50, inputAudio: 10, inputImage: 20, output: 20, outputImage: 12 },
    nano: 20n * 2_000n + 10n * 8_000n + 20n * 3_000n + 8n * 10_000n + 12n * 30_000n + 1_000_000n,
  },
  {
    name: 'a service tier has the rates of the tier',
    price: 'rich',
    reports: counted,
    said: { members: { service_tier: 'flex' } },
    usage: { inputUncached: 50, output: 20, tier: 'flex' },
    nano: 50n * 1_000n + 20n * 5_000n + 1_000_000n,
  },
  {
    name: 'searches are those that the usage counts',
    price: 'searching',
    reports: { ...counted, grounding_tool_count: [{ type: 'google_search', count: 3 }] },
    said: { steps: [search] },
    usage: { inputUncached: 50, output: 20, units: { webSearches: 3 } },
    nano: 50n * 2_000n + 20n * 10_000n + 3n * 10_000_000n,
  },
  {
    name: 'searches that no usage counts are the queries, each once',
    price: 'searching',
    reports: counted,
    said: { steps: [search] },
    usage: { inputUncached: 50, output: 20, units: { webSearches: 2 } },
    nano: 50n * 2_000n + 20n * 10_000n + 2n * 10_000_000n,
  },
  {
    name: 'without usage, input and output are estimated',
    price: 'plain',
    reports: undefined,
    usage: { inputUncached: 100, output: 3, source: 'estimated' },
    nano: 100n * 2_000n + 3n * 10_000n,
  },
];

/** What a client of each wire is shown. */
const shownOf = {
  interactions: ({ reports }: Row): Json => reports ?? {},
  chat: ({ usage }: Row): Json => ({
    prompt_tokens: (usage?.inputUncached ?? 0) + (usage?.cacheRead ?? 0),
    completion_tokens: usage?.output,
  }),
} as const;

const cases: readonly OracleCase[] = rows.flatMap((row) =>
  (['interactions', 'chat'] as const).flatMap((client) =>
    [false, true].map((stream): OracleCase => ({
      name: `${row.name}: ${client}, ${stream ? 'streamed' : 'plain'}`,
      client,
      model: `${row.price}/interactions`,
      stream,
      ...(client === 'chat' && stream ? { request: { stream_options: { include_usage: true } } } : {}),
      answers: [says(row.reports, row.said)],
      usage: row.usage,
      nano: row.nano,
      ...(row.reports === undefined ? {} : { shown: shownOf[client](row) }),
    })),
  ),
);

describe('usage and cost of interactions', () => {
  let scene: Scene;
  before(async () => {
    scene = await startOracle();
  });
  after(() => scene.stop());

  for (const oracle of cases) it(oracle.name, () => consult(scene, oracle));
});
