import { isDeepStrictEqual } from 'node:util';
import { KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { UPSTREAM_KEY } from './corpus-gateway.ts';
import { readLines, type CorpusLine } from './lines.ts';
import { count, startTally, type Tally } from './run.ts';
import { anthropicAt, googleAt, openaiAt } from './sdk.ts';

/** The SDKs as readers of the list, and of one model. */
const readers = {
  'chat-completions': {
    list: async (url: string) => (await Array.fromAsync(await openaiAt(url).models.list())).map(({ id }) => id),
    one: async (url: string, id: string) => (await openaiAt(url).models.retrieve(id)).id,
  },
  'messages': {
    list: async (url: string) =>
      (await Array.fromAsync(await anthropicAt(url).models.list({ limit: 1000 }))).map(({ id }) => id),
    one: async (url: string, id: string) => (await anthropicAt(url).models.retrieve(id)).id,
  },
  'generate-content': {
    list: async (url: string) =>
      (await Array.fromAsync(await googleAt(url).models.list())).map(({ name = '' }) => name.replace(/^models\//, '')),
    one: async (url: string, id: string) =>
      ((await googleAt(url).models.get({ model: id })).name ?? '').replace(/^models\//, ''),
  },
} as const;
type ListWire = keyof typeof readers;

/** The ids of a recorded list, or of one requested model. */
const idsOf = ({ response: { body = {} } }: CorpusLine): readonly string[] => {
  const { data } = body as { readonly data?: readonly { readonly id: string }[] };
  return (data ?? [body as { readonly id: string }]).map(({ id }) => `openai/${id}`);
};

/** A gateway with the recorded models in its catalog, from which its list is made. */
const startWith = (ids: readonly string[]): Promise<TestGateway> =>
  startTestGateway({
    providers: { openai: { use: 'openai', config: { apiKey: UPSTREAM_KEY, baseUrl: 'http://127.0.0.1:9/v1' } } },
    models: Object.fromEntries(
      ids.map((id) => [id, { targets: [{ provider: 'openai', model: id.slice('openai/'.length) }] }]),
    ),
    routes: ['/v1', '/v1beta'].flatMap((version) => [
      { path: `${version}/models`, operation: 'models' },
      { path: `${version}/models/{model}`, operation: 'models' },
    ]),
  });

const check = async (url: string, wire: ListWire, ids: readonly string[]): Promise<string | undefined> => {
  const listed = await readers[wire].list(url);
  if (!isDeepStrictEqual(listed.toSorted(), ids.toSorted()))
    return `lists ${listed.length} models for ${ids.length}: ${listed.slice(0, 5).join()}`;
  const [first = ''] = ids;
  const one = await readers[wire].one(url, first);
  return one === first ? undefined : `asked for ${first}, got ${one}`;
};

/** The recorded shape, byte for byte except for members that the catalog does not have. */
const checkShape = async (url: string, line: CorpusLine): Promise<string | undefined> => {
  const [first = ''] = idsOf(line);
  const single = line.response.body?.['data'] === undefined;
  const reply = await fetch(`${url}/v1/models${single ? `/${first}` : ''}`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  const got = (await reply.json()) as { readonly object?: string; readonly data?: readonly object[] };
  const entry = (single ? got : got.data?.[0]) as Record<string, unknown> | undefined;
  const lacking = ['id', 'object', 'created', 'owned_by'].filter((name) => entry?.[name] === undefined);
  if (got.object !== line.response.body?.['object']) return `object is ${got.object}`;
  return lacking.length === 0 ? undefined : `a model lacks ${lacking.join()}`;
};

/** A list in OpenAI's shape, or one entry of it. */
export const isModelList = ({ response: { body = {} } }: CorpusLine): boolean =>
  (body['object'] === 'list' && 'data' in body) || body['object'] === 'model';

/** Every recorded list of models, through the catalog, to the SDK of each wire that has lists. */
export const runModelLists = async (file: string): Promise<readonly Tally[]> => {
  const lines = readLines(file).filter(isModelList);
  const shape = startTally(file, 'the shape of OpenAI', lines.length);
  const tallies = (Object.keys(readers) as ListWire[]).map((wire) => ({
    wire,
    tally: startTally(file, `catalog > ${wire}`, lines.length),
  }));
  for (const line of lines) {
    const ids = [...new Set(idsOf(line))];
    const gateway = await startWith(ids);
    await count(shape, line.id, async () => ({ failure: await checkShape(gateway.url, line) }));
    for (const { wire, tally } of tallies)
      await count(tally, line.id, async () => ({ failure: await check(gateway.url, wire, ids) }));
    await gateway.stop();
  }
  return [shape, ...tallies.map(({ tally }) => tally)];
};
