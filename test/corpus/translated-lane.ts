import { replay, translatedTo, type CorpusGateway } from './corpus-gateway.ts';
import { checkFrames } from './frame-rules.ts';
import { modelOf, type CorpusLine, type Json } from './lines.ts';
import { post, requestOf } from './native-lane.ts';
import { listMissing, listTexts } from './request-texts.ts';
import type { Ground, WireCard } from './wire-card.ts';

export interface Translation {
  readonly failure?: string | undefined;
  /** Why the recorded request could not be carried to this wire: the 400 that names it. */
  readonly refused?: string | undefined;
  /** Not everything that the request says was said to the other vendor, and the losses were named. */
  readonly lossy?: boolean;
}

/** A request in the words of another vendor, or the 400 with which it was refused. */
interface TranslatedRequest {
  readonly body?: Json;
  readonly refused?: string;
  readonly failure?: string;
  readonly lossy?: boolean;
}

const show = (value: unknown): string => JSON.stringify(value).slice(0, 300);

/** Everything that the recorded request says is said to the other vendor, or the loss is named. */
const checkTexts = ({ request }: CorpusLine, body: Json, losses: string | null): TranslatedRequest => {
  const missing = listMissing(listTexts(request.body ?? {}), body);
  if (missing.length === 0) return { body };
  return losses === null ? { failure: `lost without a word: ${show(missing)}` } : { body, lossy: true };
};

/** The recorded request as the gateway writes it for another wire, or the 400 with which it refuses. */
const translateRequest = async <A>(
  line: CorpusLine,
  from: WireCard<A>,
  to: string,
  sample: string,
  at: CorpusGateway,
): Promise<TranslatedRequest> => {
  const { upstream, url } = at;
  upstream.calls.length = 0;
  upstream.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': sample.startsWith('{') ? 'application/json' : 'text/event-stream' })
      .end(sample);
  const reply = await post(url, from, translatedTo(to), line, requestOf(from, line, translatedTo(to)));
  const text = await reply.text();
  const [call] = upstream.calls;
  if (call !== undefined) return checkTexts(line, call.body, reply.headers.get('x-koine-losses'));
  const { error } = JSON.parse(text) as { error?: { message?: string } };
  return reply.status === 400 && (error?.message ?? '') !== ''
    ? { refused: error?.message ?? '' }
    : { failure: `the request: ${reply.status}: ${text.slice(0, 300)}` };
};

/** The recording's own model cannot do what the request asks of it in the words of the other wire: said by name, before anything is sent. */
const nameRefusal = (thrown: unknown, { upstream }: CorpusGateway): string | undefined =>
  thrown instanceof Error && upstream.calls.length === 0 && 'status' in thrown && thrown.status === 400
    ? /The model \S+ [^"]*/.exec(thrown.message)?.[0]
    : undefined;

/** The SDK of the other wire reads the recorded answer as the recording says it; an answer that failed is an error to it. */
const checkAnswer = async <W extends string, A>(
  line: CorpusLine,
  { cards, compare, failed }: Ground<W, A>,
  from: W,
  to: W,
  at: CorpusGateway,
  request: Json,
): Promise<Translation> => {
  replay(at, line);
  const recorded = cards[from].read(line);
  const answer = cards[to].send(at.url, `vendor/${modelOf(line)}`, request, line.stream);
  return answer.then(
    (got) => ({
      failure: failed(recorded)
        ? failed(got)
          ? undefined
          : `an answer that failed is read as ${show(got)}`
        : compare(got, recorded, to),
    }),
    (thrown: unknown) => {
      const refused = nameRefusal(thrown, at);
      if (refused === undefined && !failed(recorded)) throw thrown;
      return { refused };
    },
  );
};

/** The stream of a translated answer, frame by frame. An answer that fails before it begins is no stream. */
const checkStream = async <A>(
  line: CorpusLine,
  to: string,
  card: WireCard<A>,
  at: CorpusGateway,
  request: Json,
): Promise<string | undefined> => {
  if (!line.stream) return undefined;
  replay(at, line);
  const model = `vendor/${modelOf(line)}`;
  const reply = await post(
    at.url,
    card,
    model,
    { ...line, request: { ...line.request, headers: {} } },
    card.forModel(request, model),
  );
  const text = await reply.text();
  return reply.ok ? checkFrames(to, text, request) : undefined;
};

/** Another wire: the translated request (or the smallest, where it is refused), sent by that wire's SDK, gets the recorded answer in its own shape. */
export const checkTranslation = async <W extends string, A>(
  line: CorpusLine,
  ground: Ground<W, A>,
  from: W,
  to: W,
  at: CorpusGateway,
): Promise<Translation> => {
  const {
    body,
    refused,
    failure,
    lossy = false,
  } = await translateRequest(line, ground.cards[from], to, ground.cards[to].sample(line.stream), at);
  if (failure !== undefined) return { failure };
  const check = async (request: Json): Promise<Translation> => {
    const read = await checkAnswer(line, ground, from, to, at, request);
    return read.failure !== undefined || read.refused !== undefined
      ? read
      : { ...read, failure: await checkStream(line, to, ground.cards[to], at, request) };
  };
  const first = body === undefined ? { refused } : await check(body);
  if (first.refused === undefined) return { ...first, lossy };
  return { ...(await check(ground.cards[to].smallest(line))), refused: first.refused };
};
