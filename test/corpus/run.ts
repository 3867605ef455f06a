import { isDeepStrictEqual } from 'node:util';
import { KEY, startTestGateway } from '../e2e/gateway.ts';
import { startUpstream, type TestUpstream } from '../e2e/upstream.ts';
import type { Answer } from './answer.ts';
import type { CorpusFile } from './files.ts';
import { modelOf, readLines, responseText, type CorpusLine } from './lines.ts';

export interface Tally {
  readonly file: string;
  readonly total: number;
  native: number;
  translated: number;
  /** Of the translated: refused by a 400 that names what cannot be carried. */
  refused: number;
  readonly failures: string[];
}

const OTHER = { messages: 'anthropic', 'chat-completions': 'openai' } as const;

/** Every model of the file twice: at its own vendor, and (`x/…`) at the vendor of the other wire. */
const configOf = (lines: readonly CorpusLine[], { provider, otherWire }: CorpusFile, upstream: TestUpstream): Record<string, unknown> => {
  const models = [...new Set(lines.map(modelOf))];
  const other = OTHER[otherWire];
  return {
    providers: {
      openai: { use: 'openai', config: { apiKey: 'upstream-key', baseUrl: `${upstream.url}/v1` } },
      anthropic: { use: 'anthropic', config: { apiKey: 'upstream-key', baseUrl: upstream.url } },
    },
    models: Object.fromEntries(
      models.flatMap((model) => [
        [`${provider}/${model}`, { targets: [{ provider, model }] }],
        [`x/${model}`, { targets: [{ provider: other, model: otherWire === 'messages' ? 'claude-sonnet-4-5' : 'gpt-4.1' }] }],
      ]),
    ),
  };
};

const post = (url: string, path: string, line: CorpusLine, body: unknown): Promise<Response> =>
  fetch(url + path, { method: 'POST', headers: { 'anthropic-version': '2023-06-01', ...line.request.headers, 'content-type': 'application/json', authorization: `Bearer ${KEY}` }, body: JSON.stringify(body) });

const replay = (upstream: TestUpstream, line: CorpusLine): void => {
  upstream.answer = (response) => void response.writeHead(line.response.status, { 'content-type': line.response.sse === undefined ? 'application/json' : 'text/event-stream' }).end(responseText(line));
};

/** Own wire: the vendor gets the client's body but for the named edits, the client gets the vendor's bytes. */
const checkNative = async (line: CorpusLine, file: CorpusFile, url: string, upstream: TestUpstream): Promise<string | undefined> => {
  replay(upstream, line);
  upstream.calls.length = 0;
  const reply = await post(url, file.path, line, { ...line.request.body, model: `${file.provider}/${modelOf(line)}` });
  const received = await reply.text();
  if (reply.headers.get('x-koine-lane') !== 'native') return `lane ${reply.headers.get('x-koine-lane')}, status ${reply.status}: ${received.slice(0, 300)}`;
  const [call] = upstream.calls;
  const expected = JSON.stringify(file.nativeEdits(line.request.body));
  if (call?.raw.toString() !== expected) return `the upstream's body differs:\n  got      ${call?.raw.toString().slice(0, 400)}\n  expected ${expected.slice(0, 400)}`;
  return received === file.nativeAnswer(line) ? undefined : 'the answer differs from the recorded bytes';
};

/** The request as the gateway writes it for the other wire, or the 400 with which it refuses. */
const translateRequest = async (line: CorpusLine, file: CorpusFile, url: string, upstream: TestUpstream): Promise<{ body?: Record<string, unknown>; refused?: string; wrong?: string }> => {
  upstream.calls.length = 0;
  upstream.answer = (response) => void response.writeHead(418).end('{}');
  const reply = await post(url, file.path, line, { ...line.request.body, model: `x/${modelOf(line)}` });
  const [call] = upstream.calls;
  if (call !== undefined) return { body: call.body };
  const text = await reply.text();
  const { error } = JSON.parse(text) as { error?: { message?: string } };
  return reply.status === 400 && (error?.message ?? '') !== '' ? { refused: error?.message ?? '' } : { wrong: `${reply.status}: ${text.slice(0, 300)}` };
};

const compare = (recorded: Answer, got: Answer, finish: string | null): string | undefined => {
  if (got.text !== recorded.text) return `text differs: ${JSON.stringify(got.text.slice(0, 120))} for ${JSON.stringify(recorded.text.slice(0, 120))}`;
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(got.calls)), JSON.parse(JSON.stringify(recorded.calls)))) return `calls differ: ${JSON.stringify(got.calls).slice(0, 300)} for ${JSON.stringify(recorded.calls).slice(0, 300)}`;
  if (got.finish !== finish) return `finish differs: ${got.finish} for ${finish}`;
  if (recorded.usage !== undefined && !isDeepStrictEqual(got.usage, recorded.usage)) return `usage differs: ${JSON.stringify(got.usage)} for ${JSON.stringify(recorded.usage)}`;
  return undefined;
};

/** The other wire: the translated request, sent by that wire's SDK, gets the recorded answer in its own shape. */
const checkTranslated = async (line: CorpusLine, file: CorpusFile, url: string, upstream: TestUpstream, tally: Tally): Promise<string | undefined> => {
  const { body, refused, wrong } = await translateRequest(line, file, url, upstream);
  if (refused !== undefined) {
    tally.refused += 1;
    return undefined;
  }
  if (body === undefined) return wrong;
  replay(upstream, line);
  const recorded = file.read(line);
  const got = await file.send(url, { ...body, model: `${file.provider}/${modelOf(line)}` });
  return compare(recorded, got, file.finish(recorded));
};

/** Runs every line of a file through a gateway, on both lanes. */
export const runCorpusFile = async (file: CorpusFile): Promise<Tally> => {
  const lines = readLines(file.file, file.provider);
  const tally: Tally = { file: file.file, total: lines.length, native: 0, translated: 0, refused: 0, failures: [] };
  const upstream = await startUpstream();
  const { url, stop } = await startTestGateway(configOf(lines, file, upstream));
  const count = async (lane: 'native' | 'translated', line: CorpusLine, check: Promise<string | undefined>): Promise<void> => {
    const failure = await check.catch((thrown: unknown) => (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)));
    if (failure === undefined) tally[lane] += 1;
    else tally.failures.push(`${lane} ${line.id}: ${failure}`);
  };
  for (const line of lines) {
    await count('native', line, checkNative(line, file, url, upstream));
    await count('translated', line, checkTranslated(line, file, url, upstream, tally));
  }
  await stop();
  await upstream.stop();
  return tally;
};
