import { KEY } from '../e2e/gateway.ts';
import { replay, type CorpusGateway } from './corpus-gateway.ts';
import { modelOf, type CorpusLine, type Json } from './lines.ts';
import { wireCards, type GenerationWire } from './wires.ts';

/** The request of a line as its client sends it for another model. */
export const requestOf = (line: CorpusLine, wire: GenerationWire, model: string): Json => {
  const { body } = line.request;
  if (body === null) return wireCards[wire].smallest(model, line.stream);
  return wire === 'generate-content' ? body : { ...body, model };
};

export const post = (url: string, wire: GenerationWire, model: string, line: CorpusLine, body: Json): Promise<Response> =>
  fetch(url + wireCards[wire].path(model, line.stream), {
    method: 'POST',
    headers: { 'anthropic-version': '2023-06-01', ...line.request.headers, 'content-type': 'application/json', 'authorization': `Bearer ${KEY}` },
    body: JSON.stringify(body),
  });

/** Own wire: the vendor gets the client's body but for the named edits, the client gets the vendor's bytes. */
export const checkNative = async (line: CorpusLine, wire: GenerationWire, at: CorpusGateway): Promise<string | undefined> => {
  const card = wireCards[wire];
  replay(at, line);
  const request = requestOf(line, wire, `vendor/${modelOf(line)}`);
  const reply = await post(at.url, wire, `vendor/${modelOf(line)}`, line, request);
  const received = await reply.text();
  if (reply.headers.get('x-koine-lane') !== 'native') return `lane ${reply.headers.get('x-koine-lane')}, status ${reply.status}: ${received.slice(0, 300)}`;
  const sent = at.upstream.calls[0]?.raw.toString();
  const expected = JSON.stringify(card.nativeEdits(requestOf(line, wire, modelOf(line))));
  if (sent !== expected) return `the upstream's body differs:\n  got      ${sent?.slice(0, 400)}\n  expected ${expected.slice(0, 400)}`;
  const wanted = card.nativeAnswer(line, request);
  return received === wanted ? undefined : `the answer differs from the recorded bytes:\n  got      ${received.slice(-300)}\n  expected ${wanted.slice(-300)}`;
};
