import { replay, translatedTo, type CorpusGateway } from './corpus-gateway.ts';
import { modelOf, type CorpusLine, type Json } from './lines.ts';
import { post, requestOf } from './native-lane.ts';
import type { Ground, WireCard } from './wire-card.ts';

export interface Crossing {
  readonly failure?: string | undefined;
  /** Why the recorded request could not be carried to this wire: the 400 that names it. */
  readonly refused?: string | undefined;
}

const TEAPOT = 418;

/** The recorded request as the gateway writes it for another wire, or the 400 with which it refuses. */
const translateRequest = async <A>(line: CorpusLine, from: WireCard<A>, to: string, at: CorpusGateway): Promise<{ body?: Json; refused?: string; failure?: string }> => {
  const { upstream, url } = at;
  upstream.calls.length = 0;
  upstream.answer = (response) => void response.writeHead(TEAPOT).end('{}');
  const reply = await post(url, from, translatedTo(to), line, requestOf(from, line, translatedTo(to)));
  const text = await reply.text();
  const [call] = upstream.calls;
  if (call !== undefined) return { body: call.body };
  const { error } = JSON.parse(text) as { error?: { message?: string } };
  return reply.status === 400 && (error?.message ?? '') !== '' ? { refused: error?.message ?? '' } : { failure: `the request: ${reply.status}: ${text.slice(0, 300)}` };
};

/** The SDK of the other wire reads the recorded answer as the recording says it; an answer that failed is an error to it. */
const checkAnswer = async <W extends string, A>(line: CorpusLine, { cards, compare, failed }: Ground<W, A>, from: W, to: W, at: CorpusGateway, request: Json): Promise<string | undefined> => {
  replay(at, line);
  const recorded = cards[from].read(line);
  const answer = cards[to].send(at.url, `vendor/${modelOf(line)}`, request, line.stream);
  if (!failed(recorded)) return compare(await answer, recorded, to);
  return answer.then(
    (got) => (failed(got) ? undefined : `an answer that failed is read as ${JSON.stringify(got).slice(0, 300)}`),
    () => undefined,
  );
};

/** Another wire: the translated request (or the smallest, where it is refused), sent by that wire's SDK, gets the recorded answer in its own shape. */
export const checkCrossing = async <W extends string, A>(line: CorpusLine, ground: Ground<W, A>, from: W, to: W, at: CorpusGateway): Promise<Crossing> => {
  const { body, refused, failure } = await translateRequest(line, ground.cards[from], to, at);
  if (failure !== undefined) return { failure };
  return { failure: await checkAnswer(line, ground, from, to, at, body ?? ground.cards[to].smallest(line.stream)), refused };
};
