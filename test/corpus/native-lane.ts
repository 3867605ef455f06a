import { KEY } from '../support/gateway.ts';
import { idOf, replay, type CorpusGateway } from './corpus-gateway.ts';
import { modelOf, type CorpusLine, type Json } from './lines.ts';
import type { WireAdapter } from './wire-adapter.ts';

/** The request of a line as its client sends it for another model. */
export const requestOf = <A>({ forModel, minimal }: WireAdapter<A>, line: CorpusLine, model: string): Json =>
  forModel(line.request.body ?? minimal(line), model);

export const post = <A>(
  url: string,
  { path }: WireAdapter<A>,
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

/** A failed response is an error before any content, so that another target can be tried. */
const isRefused = (reply: Response): boolean => reply.status >= 400;

/** Usage that the gateway adds where the vendor sent none: in a chunk of its own, or in the body. */
const added = /data: [^\n]*"choices":\[\],"usage":\{[^\n]*\n\n|,"usage":[^\n]*"x_koine_estimated":true(?=\}$)/;

/** Native: the vendor gets the client's body except for the known edits; the client gets the vendor's bytes. */
export const checkNative = async <A>(
  line: CorpusLine,
  card: WireAdapter<A>,
  failed: (answer: A) => boolean,
  at: CorpusGateway,
): Promise<string | undefined> => {
  replay(at, line);
  const model = idOf(line);
  const request = requestOf(card, line, model);
  const reply = await post(at.url, card, model, line, request);
  const received = await reply.text();
  if (isRefused(reply) && failed(card.read(line))) return undefined;
  if (reply.headers.get('x-koine-lane') !== 'native')
    return `lane ${reply.headers.get('x-koine-lane')}, status ${reply.status}: ${received.slice(0, 300)}`;
  const sent = at.upstream.calls[0]?.raw.toString();
  const expected = JSON.stringify(card.nativeEdits(requestOf(card, line, modelOf(line)), line));
  if (sent !== expected)
    return `the upstream's body differs:\n  got      ${sent?.slice(0, 400)}\n  expected ${expected.slice(0, 400)}`;
  const wanted = card.nativeAnswer(line, request);
  return received === wanted || received.replace(added, '') === wanted
    ? undefined
    : `the response differs from the recorded bytes:\n  got      ${received.slice(-300)}\n` +
        `  expected ${wanted.slice(-300)}`;
};
