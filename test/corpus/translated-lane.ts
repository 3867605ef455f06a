import { idOf, replay, translatedTo, type CorpusGateway } from './corpus-gateway.ts';
import { checkFrames } from './frame-rules.ts';
import { type CorpusLine, type Json } from './lines.ts';
import { post, requestOf } from './native-lane.ts';
import { listMissing, listTexts } from './request-texts.ts';
import type { CorpusOperation, WireAdapter } from './wire-adapter.ts';

export interface Translation {
  readonly failure?: string | undefined;
  /** The 400 that names why the recorded request cannot be translated to this wire. */
  readonly refused?: string | undefined;
  /** Part of the request was not sent to the other vendor, and the losses were reported. */
  readonly lossy?: boolean;
}

/** A translated request, or the 400 with which it was refused. */
interface TranslatedRequest {
  readonly body?: Json;
  readonly refused?: string;
  readonly failure?: string;
  readonly lossy?: boolean;
}

const show = (value: unknown): string => JSON.stringify(value).slice(0, 300);

/** All of the recorded request is sent to the other vendor, or the loss is reported. */
const checkTexts = ({ request }: CorpusLine, body: Json, losses: string | null): TranslatedRequest => {
  const missing = listMissing(listTexts(request.body ?? {}), body);
  if (missing.length === 0) return { body };
  return losses === null ? { failure: `lost without a word: ${show(missing)}` } : { body, lossy: true };
};

/** The recorded request as the gateway translates it, or the 400 with which it refuses. */
const translateRequest = async <A>(
  line: CorpusLine,
  from: WireAdapter<A>,
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
  const { message = '' } = error ?? {};
  // The model of a hosted tool is looked up at the target's provider, and is a 404 at another.
  const isNamed = reply.status === 400 ? message !== '' : reply.status === 404 && message.startsWith('The tool ');
  return isNamed ? { refused: message } : { failure: `the request: ${reply.status}: ${text.slice(0, 300)}` };
};

/**
 * The recording's model cannot do what the request asks for on the other wire. The error names it before anything is
 * sent.
 */
const nameRefusal = (thrown: unknown, { upstream }: CorpusGateway): string | undefined =>
  thrown instanceof Error && upstream.calls.length === 0 && 'status' in thrown && thrown.status === 400
    ? /The model \S+ [^"]*/.exec(thrown.message)?.[0]
    : undefined;

/** The SDK of the other wire reads the content of the recorded response; a failed response is an error. */
const checkAnswer = async <W extends string, A>(
  line: CorpusLine,
  { cards, compare, failed }: CorpusOperation<W, A>,
  from: W,
  to: W,
  at: CorpusGateway,
  request: Json,
): Promise<Translation> => {
  replay(at, line);
  const recorded = cards[from].read(line);
  const answer = cards[to].send(at.url, idOf(line), request, line.stream);
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

/** The frames of a translated stream. A response that fails before it starts has none. */
const checkStream = async <A>(
  line: CorpusLine,
  to: string,
  card: WireAdapter<A>,
  at: CorpusGateway,
  request: Json,
): Promise<string | undefined> => {
  if (!line.stream) return undefined;
  replay(at, line);
  const model = idOf(line);
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

/**
 * Translated: the request (or a minimal one, where it is refused), sent by the other wire's SDK, gets the recorded
 * response in its shape.
 */
export const checkTranslation = async <W extends string, A>(
  line: CorpusLine,
  operation: CorpusOperation<W, A>,
  from: W,
  to: W,
  at: CorpusGateway,
): Promise<Translation> => {
  const {
    body,
    refused,
    failure,
    lossy = false,
  } = await translateRequest(line, operation.cards[from], to, operation.cards[to].sample(line.stream), at);
  if (failure !== undefined) return { failure };
  const check = async (request: Json): Promise<Translation> => {
    const read = await checkAnswer(line, operation, from, to, at, request);
    return read.failure !== undefined || read.refused !== undefined
      ? read
      : { ...read, failure: await checkStream(line, to, operation.cards[to], at, request) };
  };
  const first = body === undefined ? { refused } : await check(body);
  if (first.refused === undefined) return { ...first, lossy };
  return { ...(await check(operation.cards[to].minimal(line))), refused: first.refused };
};
