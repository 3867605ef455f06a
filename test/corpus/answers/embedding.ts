import type { ContentListUnion, EmbedContentConfig } from '@google/genai';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import { responseText, type CorpusLine, type Json } from '../lines.ts';
import { googleAt, openaiAt } from '../sdk.ts';
import { asIs, nameModel, type CorpusOperation, type WireAdapter } from '../wire-adapter.ts';

const wires = ['embeddings', 'embed-content'] as const;
export type EmbeddingWire = (typeof wires)[number];

/** Vectors in order, as 32-bit floats, and the input tokens where the wire reports them. */
export interface Vectors {
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number | undefined;
}

interface OpenAiAnswer {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] | string }[];
  readonly usage?: { readonly prompt_tokens?: number };
}
interface GoogleAnswer {
  readonly embeddings?: readonly { readonly values?: readonly number[] }[];
  readonly embedding?: { readonly values?: readonly number[] };
  readonly usageMetadata?: { readonly promptTokenCount?: number };
}

/** Numbers, or little-endian 32-bit floats in base64. */
const readVector = (embedding: readonly number[] | string): readonly number[] => {
  if (typeof embedding !== 'string') return embedding.map(Math.fround);
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
};

const readOpenAi = ({ data, usage }: OpenAiAnswer): Vectors => ({
  vectors: data.toSorted((left, right) => left.index - right.index).map(({ embedding }) => readVector(embedding)),
  tokens: usage?.prompt_tokens,
});
const readGoogle = ({ embeddings, embedding, usageMetadata }: GoogleAnswer): Vectors => ({
  vectors: (embeddings ?? (embedding === undefined ? [] : [embedding])).map(({ values = [] }) => readVector(values)),
  tokens: usageMetadata?.promptTokenCount,
});

/** As many texts as the recorded response has vectors. */
const greetings = ({ response: { body = {} } }: CorpusLine): readonly string[] =>
  [body['data'] ?? (body['embeddings'] as Json | undefined)?.['float'] ?? body['embeddings'] ?? 'Hello']
    .flat()
    .map(() => 'Hello');

const embeddingsCard: WireAdapter<Vectors> = {
  provider: 'openai',
  model: 'text-embedding-3-small',
  path: () => '/v1/embeddings',
  forModel: nameModel,
  minimal: (line) => ({ input: greetings(line), encoding_format: 'float' }),
  sample: () =>
    JSON.stringify({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
      model: 'm',
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  read: ({ response }) => readOpenAi(response.body as unknown as OpenAiAnswer),
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    readOpenAi(await openaiAt(url).embeddings.create({ ...body, model } as unknown as EmbeddingCreateParams)),
};

/** This SDK sends a list of contents with one configuration. */
const parametersOf = ({ requests }: Json): { contents: ContentListUnion; config: EmbedContentConfig } => {
  const [first] = requests as readonly Json[];
  const { content: _content, model: _model, ...config } = first ?? {};
  return { contents: (requests as readonly Json[]).map(({ content }) => content) as ContentListUnion, config };
};

const embedContentCard: WireAdapter<Vectors> = {
  provider: 'google',
  model: 'gemini-embedding-001',
  path: (model, body) => `/v1beta/models/${model}:${'requests' in body ? 'batchEmbedContents' : 'embedContent'}`,
  forModel: asIs,
  minimal: (line) => ({ requests: greetings(line).map((text) => ({ content: { parts: [{ text }] } })) }),
  sample: () => JSON.stringify({ embeddings: [{ values: [1] }] }),
  read: ({ response }) => readGoogle(response.body as unknown as GoogleAnswer),
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    readGoogle((await googleAt(url).models.embedContent({ model, ...parametersOf(body) })) as GoogleAnswer),
};

const compare = (got: Vectors, recorded: Vectors): string | undefined => {
  if (got.vectors.length !== recorded.vectors.length)
    return `${got.vectors.length} vectors for ${recorded.vectors.length}`;
  const wrong = recorded.vectors.findIndex(
    (vector, index) =>
      vector.length !== got.vectors[index]?.length || vector.some((value, at) => value !== got.vectors[index]?.[at]),
  );
  if (wrong >= 0) return `vector ${wrong} differs`;
  return got.tokens === undefined || recorded.tokens === undefined || got.tokens === recorded.tokens
    ? undefined
    : `${got.tokens} tokens for ${recorded.tokens}`;
};

/** Vectors of Perplexity are integers of 8 bits in base64: read as floats they are huge. Clients must not get them. */
const MAX_VALUE = 1e6;

const methods = ['embedContent', 'batchEmbedContents'] as const;

export const embedding: CorpusOperation<EmbeddingWire, Vectors> = {
  cards: { 'embeddings': embeddingsCard, 'embed-content': embedContentCard },
  wires: wires,
  routes: [
    { path: '/v1/embeddings', wire: 'embeddings' },
    ...['/v1', '/v1beta'].flatMap((version) =>
      methods.map((method) => ({ path: `${version}/models/{model}:${method}`, wire: 'embed-content' })),
    ),
  ],
  compare,
  failed: ({ vectors }) => vectors.some((vector) => !vector.every((value) => Math.abs(value) <= MAX_VALUE)),
};

const hasValues = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && Object.hasOwn(item, 'values');

/** The wire of a recorded response; undefined without a provider. */
export const wireOfVectors = ({ response: { body = {} } }: CorpusLine): EmbeddingWire | undefined => {
  if ([body['embedding'], body['embeddings']].flat().some(hasValues)) return 'embed-content';
  return body['object'] === 'list' && 'data' in body ? 'embeddings' : undefined;
};
