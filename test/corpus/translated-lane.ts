import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './answer.ts';
import { replay, translatedTo, type CorpusGateway } from './corpus-gateway.ts';
import { finishWord } from './finish-words.ts';
import { modelOf, type CorpusLine, type Json } from './lines.ts';
import { post, requestOf } from './native-lane.ts';
import { wireCards, type GenerationWire } from './wires.ts';

export interface Crossing {
  readonly failure?: string | undefined;
  /** Why the recorded request could not be carried to this wire: the 400 that names it. */
  readonly refused?: string | undefined;
}

const TEAPOT = 418;

/** The recorded request as the gateway writes it for another wire, or the 400 with which it refuses. */
const translateRequest = async (line: CorpusLine, from: GenerationWire, to: GenerationWire, at: CorpusGateway): Promise<{ body?: Json; refused?: string; failure?: string }> => {
  const { upstream, url } = at;
  upstream.calls.length = 0;
  upstream.answer = (response) => void response.writeHead(TEAPOT).end('{}');
  const reply = await post(url, from, translatedTo(to), line, requestOf(line, from, translatedTo(to)));
  const text = await reply.text();
  const [call] = upstream.calls;
  if (call !== undefined) return { body: call.body };
  const { error } = JSON.parse(text) as { error?: { message?: string } };
  return reply.status === 400 && (error?.message ?? '') !== '' ? { refused: error?.message ?? '' } : { failure: `the request: ${reply.status}: ${text.slice(0, 300)}` };
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const show = (value: unknown): string => JSON.stringify(value).slice(0, 300);

const compareUsage = (got: Answer['usage'], recorded: NonNullable<Answer['usage']>): string | undefined => {
  if (got === undefined) return 'usage is missing';
  const known = (name: 'input' | 'cacheRead' | 'output' | 'reasoning'): boolean => got[name] === undefined || recorded[name] === undefined || got[name] === recorded[name];
  return known('input') && known('cacheRead') && known('output') && known('reasoning') ? undefined : `usage differs: ${show(got)} for ${show(recorded)}`;
};

const compare = (got: Answer, recorded: Answer, finish: string): string | undefined => {
  if (got.text !== recorded.text && got.text !== recorded.text + recorded.explanation) return `text differs: ${show(got.text)} for ${show(recorded.text)}`;
  if (!isDeepStrictEqual(plain(got.calls), plain(recorded.calls))) return `calls differ: ${show(got.calls)} for ${show(recorded.calls)}`;
  if (got.finish !== finish) return `finish differs: ${got.finish} for ${finish}`;
  return recorded.usage === undefined ? undefined : compareUsage(got.usage, recorded.usage);
};

/** The SDK of the other wire reads the recorded answer as the recording says it; an answer that failed is an error to it. */
const checkAnswer = async (line: CorpusLine, from: GenerationWire, to: GenerationWire, at: CorpusGateway, request: Json): Promise<string | undefined> => {
  replay(at, line);
  const recorded = wireCards[from].read(line);
  const finish = finishWord(to, recorded);
  const answer = wireCards[to].send(at.url, `vendor/${modelOf(line)}`, request, line.stream);
  if (finish !== undefined) return compare(await answer, recorded, finish);
  return answer.then(
    (got) => (got.reason === 'error' ? undefined : `an answer that failed is read as ${show(got)}`),
    () => undefined,
  );
};

/** Another wire: the translated request (or the smallest, where it is refused), sent by that wire's SDK, gets the recorded answer in its own shape. */
export const checkCrossing = async (line: CorpusLine, from: GenerationWire, to: GenerationWire, at: CorpusGateway): Promise<Crossing> => {
  const { body, refused, failure } = await translateRequest(line, from, to, at);
  if (failure !== undefined) return { failure };
  return { failure: await checkAnswer(line, from, to, at, body ?? wireCards[to].smallest('', line.stream)), refused };
};
