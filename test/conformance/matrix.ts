import { cases } from '../matrix/cases/index.ts';
import { idOf } from '../matrix/catalog.ts';
import type { MatrixCase } from '../matrix/matrix-case.ts';
import { startMatrix, type MatrixScene } from '../matrix/matrix-scene.ts';
import { modelsOf } from '../matrix/run-case.ts';
import { textOf } from '../matrix/vendors/vendors.ts';
import { requestOf } from '../matrix/interactions/convert.ts';
import { modes, wires, type Json, type Mode, type Wire } from '../matrix/wires.ts';
import { KEY } from '../support/gateway.ts';
import type { Document } from './documents.ts';
import { createEventJudge } from './open-responses/schema.ts';

/** What a vendor's document says about a body, and about an event. */
interface WireJudge {
  readonly path: string;
  readonly plain: (body: unknown) => readonly string[];
  readonly event: (event: unknown) => readonly string[];
}

type Judged = Exclude<Wire, 'google'> | 'interactions';

/** The documents, by the wire of their client. There is none for generate-content. */
export type Documents = Readonly<Record<Judged, Document>>;

const createJudges = ({ chat, messages, responses, interactions }: Documents): Readonly<Record<Judged, WireJudge>> => ({
  chat: {
    path: '/v1/chat/completions',
    plain: (body) => chat.complain('CreateChatCompletionResponse', body),
    event: (event) => chat.complain('CreateChatCompletionStreamResponse', event),
  },
  messages: {
    path: '/v1/messages',
    plain: (body) => messages.complain('Message', body),
    event: (event) => messages.complain('MessageStreamEvent', event),
  },
  responses: {
    path: '/v1/responses',
    plain: (body) => responses.complain('ResponseResource', body),
    event: createEventJudge(responses),
  },
  interactions: {
    path: '/v1beta/interactions',
    plain: (body) => interactions.complain('Interaction', body),
    event: (event) => interactions.complain('InteractionSseEvent', event),
  },
});

const requestFor = ({ request }: MatrixCase, client: Judged): Json =>
  client === 'interactions' ? requestOf(request.google) : request[client];

/** The bodies or events of one response. */
const send = async (
  { gateway, upstream }: MatrixScene,
  { path }: WireJudge,
  testCase: MatrixCase,
  [client, wire, mode]: readonly [Judged, Wire, Mode],
): Promise<readonly unknown[]> => {
  const type = mode === 'plain' ? 'application/json' : 'text/event-stream';
  const text = textOf(wire, mode, testCase.vendor, testCase.tokens);
  upstream.answer = (response) => void response.writeHead(200, { 'content-type': type }).end(text);
  const model = idOf(wire, modelsOf(testCase)[wire]);
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      'authorization': `Bearer ${KEY}`,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...requestFor(testCase, client), model, ...(mode === 'plain' ? {} : { stream: true }) }),
  });
  const received = await reply.text();
  if (reply.status !== 200) throw new Error(`${testCase.name}, ${client}, ${wire}: ${received}`);
  if (mode === 'plain') return [JSON.parse(received)];
  return received.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
};

/** Holds every body and event that the matrix makes the gateway write against the document of its wire. */
export async function judgeMatrix(documents: Documents): Promise<{
  readonly judged: number;
  readonly wrong: readonly string[];
}> {
  const judges = createJudges(documents);
  const scene = await startMatrix(cases.map(modelsOf));
  const wrong = new Set<string>();
  let judged = 0;
  for (const testCase of cases)
    for (const client of ['chat', 'messages', 'responses', 'interactions'] as const)
      for (const wire of wires)
        for (const mode of modes) {
          if (client === wire) continue;
          const judge = judges[client];
          const values = await send(scene, judge, testCase, [client, wire, mode]);
          judged += values.length;
          const complaints = values.flatMap(mode === 'plain' ? judge.plain : judge.event);
          for (const complaint of complaints)
            wrong.add(`${testCase.name}, ${client} to ${wire}, ${mode}: ${complaint}`);
        }
  await scene.stop();
  return { judged, wrong: [...wrong] };
}
