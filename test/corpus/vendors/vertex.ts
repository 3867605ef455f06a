import { isDeepStrictEqual } from 'node:util';
import { KEY, startTestGateway } from '../../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { UPSTREAM_KEY } from '../corpus-gateway.ts';
import { modelOf, readLines, responseText, type CorpusLine, type Json } from '../lines.ts';
import { count, startTally, type Tally } from '../run.ts';

/** How a client calls the gateway for a recorded method of Vertex AI, and what is left to compare in its response. */
interface Client {
  readonly path: (model: string) => string;
  readonly body: (recorded: Json, model: string) => Json;
  readonly expects: (line: CorpusLine) => unknown;
  readonly read: (text: string) => unknown;
}

const asText = { expects: responseText, read: (text: string): unknown => text };
const gemini = (method: string): Client => ({
  path: (model) => `/v1beta/models/${model}:${method}`,
  body: (recorded) => recorded,
  ...asText,
});
const messages: Client = {
  path: () => '/v1/messages',
  body: ({ anthropic_version: _version, ...recorded }, model) => ({ model, ...recorded }),
  ...asText,
};

interface Prediction {
  readonly embeddings: { readonly values: readonly number[]; readonly statistics: { readonly token_count: number } };
}
const embeddings: Client = {
  path: () => '/v1/embeddings',
  body: ({ instances, parameters }, model) => ({
    model,
    input: (instances as readonly Json[]).map(({ content }) => content),
    encoding_format: 'float',
    ...(parameters === undefined ? {} : { dimensions: (parameters as Json)['outputDimensionality'] }),
  }),
  expects: ({ response }) => {
    const predictions = (response.body?.['predictions'] ?? []) as readonly Prediction[];
    return {
      vectors: predictions.map((each) => each.embeddings.values.map(Math.fround)),
      tokens: predictions.reduce((sum, each) => sum + each.embeddings.statistics.token_count, 0),
    };
  },
  read: (text) => {
    const { data, usage } = JSON.parse(text) as {
      readonly data: readonly { readonly embedding: readonly number[] }[];
      readonly usage: { readonly prompt_tokens: number };
    };
    return { vectors: data.map(({ embedding }) => embedding.map(Math.fround)), tokens: usage.prompt_tokens };
  },
};

const clients: Readonly<Record<string, Client>> = {
  generateContent: gemini('generateContent'),
  streamGenerateContent: gemini('streamGenerateContent?alt=sse'),
  countTokens: gemini('countTokens'),
  rawPredict: messages,
  streamRawPredict: messages,
  predict: embeddings,
};

const methodOf = (path: string): string => /:(\w+)(?:\?.*)?$/.exec(path)?.[1] ?? '';
const resourceOf = (path: string): string => /publishers\/[^:]+/.exec(path)?.[0] ?? '';
/** An id of the catalog for a model of Vertex AI. */
const nameOf = (line: CorpusLine): string => `vertex/${modelOf(line).replaceAll('@', '-')}`;

const wanted = (line: CorpusLine): boolean =>
  line.provider === 'vertexai' && line.response.status === 200 && line.request.body !== null;

export const isPrediction = (line: CorpusLine): boolean => wanted(line) && methodOf(line.request.path) === 'predict';

const start = (lines: readonly CorpusLine[], baseUrl: string) =>
  startTestGateway({
    providers: { vertex: { use: 'vertex', config: { project: 'p', apiKey: UPSTREAM_KEY, baseUrl } } },
    models: Object.fromEntries(
      lines.map((line) => [
        nameOf(line),
        {
          wires: ['messages', 'generate-content', 'embeddings'],
          targets: [{ provider: 'vertex', model: modelOf(line) }],
        },
      ]),
    ),
  });

const check = async (url: string, upstream: TestUpstream, line: CorpusLine): Promise<string | undefined> => {
  const { path, body } = line.request;
  const client = clients[methodOf(path)];
  if (client === undefined || body === null) return `has no method: ${path}`;
  upstream.calls.length = 0;
  upstream.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': line.response.sse === undefined ? 'application/json' : 'text/event-stream' })
      .end(responseText(line));
  const reply = await fetch(url + client.path(nameOf(line)), {
    method: 'POST',
    headers: {
      'authorization': `Bearer ${KEY}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(client.body(body, nameOf(line))),
  });
  const text = await reply.text();
  if (reply.status !== 200) return `status ${reply.status}: ${text.slice(0, 300)}`;
  const [call] = upstream.calls;
  if (call === undefined) return 'was not sent';
  if (methodOf(call.path) !== methodOf(path) || resourceOf(call.path) !== resourceOf(path))
    return `sent to ${call.path}`;
  if (!isDeepStrictEqual(call.body, body)) return `sent ${JSON.stringify(call.body).slice(0, 300)}`;
  return isDeepStrictEqual(client.read(text), client.expects(line)) ? undefined : `received ${text.slice(0, 300)}`;
};

/** Recorded calls of Vertex AI through its provider: the vendor gets the recorded request, the client the response. */
export const runVertex = async (file: string): Promise<readonly Tally[]> => {
  const lines = readLines(file).filter(wanted);
  if (lines.length === 0) return [];
  const upstream = await startUpstream();
  const gateway = await start(lines, upstream.url);
  const tally = startTally(file, 'vertex', lines.length);
  for (const line of lines)
    await count(tally, line.id, async () => ({ failure: await check(gateway.url, upstream, line) }));
  await gateway.stop();
  await upstream.stop();
  return [tally];
};
