import { KEY } from '../e2e/gateway.ts';
import { replay, type CorpusGateway } from './corpus-gateway.ts';
import { modelOf, type CorpusLine, type Json } from './lines.ts';
import type { WireCard } from './wire-card.ts';

/** The request of a line as its client sends it for another model. */
export const requestOf = <A>({ forModel, smallest }: WireCard<A>, line: CorpusLine, model: string): Json =>
  forModel(line.request.body ?? smallest(line), model);

export const post = <A>(
  url: string,
  { path }: WireCard<A>,
  model: string,
  line: CorpusLine,
  body: Json,
): Promise<Response> =>
  fetch(url + path(model, body, line.stream), {
    method: 'POST',
    headers: {
      'anthropic-version': '2023-06-01',
      ...line.request.headers,
      'content-type': 'application/json',
      'authorization': `Bearer ${KEY}`,
    },
    body: JSON.stringify(body),
  });

/** An answer that failed is no answer: an error before anything was said, so that another target may be tried. */
const isRefused = (reply: Response): boolean => reply.status >= 400;

/** Own wire: the vendor gets the client's body but for the named edits, the client gets the vendor's bytes. */
export const checkNative = async <A>(
  line: CorpusLine,
  card: WireCard<A>,
  failed: (answer: A) => boolean,
  at: CorpusGateway,
): Promise<string | undefined> => {
  replay(at, line);
  const model = `vendor/${modelOf(line)}`;
  const request = requestOf(card, line, model);
  const reply = await post(at.url, card, model, line, request);
  const received = await reply.text();
  if (isRefused(reply) && failed(card.read(line))) return undefined;
  if (reply.headers.get('x-koine-lane') !== 'native')
    return `lane ${reply.headers.get('x-koine-lane')}, status ${reply.status}: ${received.slice(0, 300)}`;
  const sent = at.upstream.calls[0]?.raw.toString();
  const expected = JSON.stringify(card.nativeEdits(requestOf(card, line, modelOf(line))));
  if (sent !== expected)
    return `the upstream's body differs:\n  got      ${sent?.slice(0, 400)}\n  expected ${expected.slice(0, 400)}`;
  const wanted = card.nativeAnswer(line, request);
  return received === wanted
    ? undefined
    : `the answer differs from the recorded bytes:\n  got      ${received.slice(-300)}\n  expected ${wanted.slice(-300)}`;
};
